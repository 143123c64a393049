import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { storageConformance } from '../testing/storage-conformance.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { JOURNAL_VERSION, type JournalEvent } from './events.ts';
import { deleteDatabase, MIGRATIONS, openDatabase } from './indexed-db.ts';
import { indexedDbStorage } from './indexed-db-storage.ts';
import { type Journal, openJournal } from './journal.ts';
import { leaseOwnership } from './lease-ownership.ts';
import { aesGcmSeal } from './seal.ts';
import type { JournalStorage } from './storage.ts';
import v1 from './fixtures/v1/approvals.json' with { type: 'json' };

vi.setConfig({ testTimeout: 30_000 });

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const wrote = { level: 'log' as const, text: 'x' };
let names = 0;
const name = (): string => {
  const made = `test-${Date.now()}-${names++}`;
  onTestFinished(() => deleteDatabase(made));
  return made;
};
const open = async (storage: JournalStorage, id = 's'): Promise<Journal> => {
  const journal = openJournal(storage, id, createFakeClock());
  onTestFinished(() => journal.close());
  await journal.opened;
  return journal;
};
afterEach(() => vi.restoreAllMocks());

describe('IndexedDB', () => {
  storageConformance((place) => indexedDbStorage({ name: place }), { test: it, survives: true });
});

describe('IndexedDB, sealed', () => {
  const key = crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  storageConformance(async (place) => indexedDbStorage({ name: place, seal: aesGcmSeal(await key) }), {
    test: it,
    survives: true,
  });

  it('keeps no clear text, and does not open with another key', async () => {
    const place = name();
    const seal = aesGcmSeal(await key);
    const journal = openJournal(indexedDbStorage({ name: place, seal }), 's', createFakeClock());
    await journal.opened;
    await journal.appendDurably('output.written', { level: 'log', text: 'swordfish' });
    await journal.close();
    const db = await openDatabase(place, { closed: () => undefined });
    const [record] = await db.getAll('events');
    db.close();
    expect(new TextDecoder().decode(record as Uint8Array)).not.toContain('swordfish');
    const other = aesGcmSeal(await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']));
    const wrong = openJournal(indexedDbStorage({ name: place, seal: other }), 's', createFakeClock());
    await expect(wrong.opened).rejects.toMatchObject({ code: 'storage_error', message: expect.stringContaining('sealed') });
    await wrong.close();
    expect((await open(indexedDbStorage({ name: place, seal }))).events).toHaveLength(1);
  });
});

describe('IndexedDB with a lease instead of Web Locks', () => {
  storageConformance((place) => indexedDbStorage({ name: place, ownership: leaseOwnership(place) }), {
    test: it,
    survives: true,
  });

  it('gives a session to one of several pages that claim it at once', async () => {
    const ownership = leaseOwnership(name());
    const seats = await Promise.all(Array.from({ length: 5 }, () => ownership.join('s')));
    expect(seats.filter(({ role }) => role === 'owner')).toHaveLength(1);
    for (const seat of seats) seat.leave();
  });
});

describe('an IndexedDB journal', () => {
  it('is what it was after it was closed and opened again, values included', async () => {
    const storage = indexedDbStorage({ name: name() });
    const first = await open(storage);
    const big = JSON.stringify('y'.repeat(100_000));
    const value = first.store(big);
    first.append('output.emitted', { value }, 'r');
    await first.appendDurably('output.written', wrote, 'r');
    await first.close();
    const second = await open(storage);
    expect(second.events).toEqual(first.events);
    expect(await second.load(value)).toBe(big);
    await second.appendDurably('output.written', wrote, 'r');
    expect(second.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('waits for the disk where a fact must last, and only there', async () => {
    const durabilities: (string | undefined)[] = [];
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const journal = await open(indexedDbStorage({ name: name() }));
    transaction.mockClear();
    await journal.appendDurably('tool_call.started', { callId: 'r:1', repeatable: true }, 'r', false);
    await journal.appendDurably('tool_call.started', { callId: 'r:2' }, 'r');
    for (const [, , options] of transaction.mock.calls) durabilities.push(options?.durability);
    expect(durabilities).toEqual(['relaxed', 'strict']);
  });

  it('writes what comes together in one transaction', async () => {
    const journal = await open(indexedDbStorage({ name: name() }));
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    for (let i = 0; i < 999; i++) journal.append('output.written', wrote, 'r');
    await journal.appendDurably('output.written', wrote, 'r');
    expect(transaction.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('reads a database of the first layout, and journals of the first version', async () => {
    const place = name();
    const old = await openDatabase(place, { migrations: MIGRATIONS.slice(0, 1), closed: () => undefined });
    expect([...old.objectStoreNames]).toEqual(['events', 'values']);
    for (const event of v1.events) await old.put('events', JSON.stringify(event), ['approvals', event.seq]);
    old.close();
    const storage = indexedDbStorage({ name: place });
    expect(await storage.list()).toEqual(['approvals']);
    const journal = await open(storage, 'approvals');
    expect(journal.events).toHaveLength(v1.events.length);
    expect(journal.events.every(({ v }) => v === JOURNAL_VERSION)).toBe(true);
    await journal.appendDurably('output.written', wrote);
  });

  it('lets a newer layout be made, and then refuses to run anything more', async () => {
    const place = name();
    const journal = await open(indexedDbStorage({ name: place }));
    const newer = await openDatabase(place, {
      migrations: [...MIGRATIONS, async (db) => void db.createObjectStore('extra' as never)],
      closed: () => undefined,
    });
    newer.close();
    await expect(journal.appendDurably('output.written', wrote)).rejects.toMatchObject({
      code: 'storage_error',
      message: expect.stringContaining('Reload the page'),
    });
    const older = openJournal(indexedDbStorage({ name: place }), 's', createFakeClock());
    await expect(older.opened).rejects.toMatchObject({
      code: 'storage_error',
      message: expect.stringContaining('newer version'),
    });
    await older.close();
  });

  it('gives up where an older page does not let go of its layout', async () => {
    const place = name();
    const request = indexedDB.open(place, 1);
    const stubborn = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    onTestFinished(() => stubborn.close());
    await expect(openDatabase(place, { patienceMs: 50, closed: () => undefined })).rejects.toMatchObject({
      code: 'storage_error',
      message: expect.stringContaining('Close the other tabs'),
    });
  });

  it('keeps what is good of a damaged log, and sets the rest aside', async () => {
    const place = name();
    const journal = openJournal(indexedDbStorage({ name: place }), 's', createFakeClock());
    await journal.opened;
    for (let i = 0; i < 5; i++) await journal.appendDurably('output.written', wrote, 'r');
    await journal.close();
    const db = await openDatabase(place, { closed: () => undefined });
    await db.put('events', '{"v":2,"seq":4,"ti', ['s', 4]);
    const again = await open(indexedDbStorage({ name: place }));
    expect(again.events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'output.written'],
      [2, 'output.written'],
      [3, 'output.written'],
      [4, 'journal.damaged'],
    ]);
    await again.appendDurably('output.written', wrote, 'r');
    expect(await db.getAll('damaged')).toHaveLength(2);
    db.close();
  });

  it('says that the storage is full, and runs nothing more', async () => {
    const journal = await open(indexedDbStorage({ name: name() }));
    const full = new DOMException('no room', 'QuotaExceededError');
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw full;
    });
    await expect(journal.appendDurably('output.written', wrote)).rejects.toMatchObject({
      code: 'storage_error',
      data: { quota: true },
    });
    vi.restoreAllMocks();
    await expect(journal.appendDurably('output.written', wrote)).rejects.toMatchObject({ data: { quota: true } });
  });

  it.each([
    ['there is no IndexedDB', () => vi.stubGlobal('indexedDB', undefined)],
    [
      'a private window refuses it',
      () =>
        vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
          throw new DOMException('denied', 'SecurityError');
        }),
    ],
  ])('says what to do where %s', async (_why, forbid) => {
    forbid();
    onTestFinished(() => void vi.unstubAllGlobals());
    const journal = openJournal(indexedDbStorage({ name: 'nowhere' }), 's', createFakeClock());
    await expect(journal.opened).rejects.toMatchObject({ code: 'environment_unsupported' });
    await journal.close();
  });
});

describe('two pages with one session', () => {
  const pages = async (): Promise<[Journal, Journal]> => {
    const place = name();
    const owner = await open(indexedDbStorage({ name: place }));
    return [owner, await open(indexedDbStorage({ name: place }))];
  };
  const seqs = (journal: Journal): number[] => journal.events.map(({ seq }) => seq);

  it('have one owner; the viewer follows and cannot write', async () => {
    const [owner, viewer] = await pages();
    expect([owner.ownership, viewer.ownership]).toEqual(['owner', 'viewer']);
    const heard: JournalEvent[] = [];
    viewer.subscribe((event) => heard.push(event));
    await owner.appendDurably('output.written', wrote, 'r');
    owner.append('output.written', wrote, 'r');
    await until(() => expect(seqs(viewer)).toEqual([1, 2]));
    expect(heard).toEqual(owner.events);
    viewer.append('output.written', wrote, 'r');
    await expect(viewer.appendDurably('output.written', wrote, 'r')).rejects.toMatchObject({ code: 'not_owner' });
    expect(seqs(viewer)).toEqual([1, 2]);
  });

  it('let the viewer ask the owner, and hand it what the owner throws', async () => {
    const [owner, viewer] = await pages();
    owner.onAsk(async (question) => {
      if (question === 'no') throw new TypeError('inside');
      return { of: question };
    });
    expect(await viewer.ask('yes')).toEqual({ of: 'yes' });
    await expect(viewer.ask('no')).rejects.toMatchObject({ code: 'storage_error' });
    await expect(viewer.ask(() => 1)).rejects.toMatchObject({ code: 'serialization_error' });
  });

  it('make the viewer the owner when the owner is gone, with everything it wrote', async () => {
    const [owner, viewer] = await pages();
    const roles: string[] = [];
    viewer.onOwnership((role) => roles.push(role));
    for (let i = 0; i < 20; i++) owner.append('output.written', wrote, 'r');
    await owner.close();
    await until(() => expect(roles).toEqual(['owner']));
    expect(seqs(viewer)).toHaveLength(20);
    await viewer.appendDurably('output.written', wrote, 'r');
    expect(seqs(viewer).at(-1)).toBe(21);
  });

  it('never both write one number, even where both believe to be the owner', async () => {
    const place = name();
    const alone = { join: async () => soleSeat(), whileFree: async () => true };
    const [one, two] = [
      await open(indexedDbStorage({ name: place, ownership: alone })),
      await open(indexedDbStorage({ name: place, ownership: alone })),
    ];
    await one.appendDurably('tool_call.started', { callId: 'r:1' }, 'r');
    await expect(two.appendDurably('tool_call.started', { callId: 'r:1' }, 'r')).rejects.toMatchObject({
      code: 'storage_error',
      data: { conflict: true },
    });
  });
});

const soleSeat = () => ({
  role: 'owner' as const,
  onRole: () => undefined,
  publish: () => undefined,
  onEvents: () => undefined,
  ask: async () => undefined,
  onAsk: () => undefined,
  leave: () => undefined,
});

describe('sessions that nobody opens any more', () => {
  it('go when they are older than maxAgeMs, unless a run is open', async () => {
    const place = name();
    const old = createFakeClock(Date.now() - 10_000);
    for (const id of ['done', 'waiting']) {
      const journal = openJournal(indexedDbStorage({ name: place }), id, old);
      await journal.opened;
      journal.append('run.queued', { source: '1' }, 'r');
      const stats = { computeMs: 0, peakMemoryBytes: 0, calls: 0, transferBytes: 0 };
      if (id === 'done') await journal.appendDurably('run.cancelled', { warnings: [], stats }, 'r');
      await journal.close();
    }
    const storage = indexedDbStorage({ name: place, retention: { maxAgeMs: 9_000 } });
    const journal = await open(storage, 'new');
    await journal.appendDurably('output.written', wrote);
    await vi.waitFor(async () => expect([...(await storage.list())].sort()).toEqual(['new', 'waiting']), { timeout: 5_000 });
  });
});
