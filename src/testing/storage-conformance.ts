/**
 * What every `JournalStorage` must do, as tests for any framework. Uses nothing of the framework but its `test`, and says
 * itself what is wrong.
 */
import { JOURNAL_VERSION, type JournalEvent } from '../journal/events.ts';
import type { JournalLog, JournalStorage } from '../journal/storage.ts';

export interface StorageConformanceOptions {
  /** `test` of vitest, jest, mocha (`it`), node:test … */
  test(name: string, body: () => Promise<void>): void;
  /** What is stored is still there for a second storage of the same place. @default false */
  readonly survives?: boolean;
}

/**
 * Registers the tests.
 * @param createStorage makes a storage at a place: two of one place share what is stored, where it `survives`. Each test uses places of its own.
 */
export function storageConformance(
  createStorage: (place: string) => JournalStorage | Promise<JournalStorage>,
  { test, survives = false }: StorageConformanceOptions,
): void {
  let places = 0;
  const check = (name: string, body: (lab: Lab) => Promise<void>): void =>
    test(name, async () => {
      const lab = new Lab(createStorage, `conformance-${Date.now().toString(36)}-${places++}`);
      try {
        await body(lab);
      } finally {
        await lab.end();
      }
    });

  check('a session that nobody wrote to is empty and not listed', async (lab) => {
    const log = await lab.open('a');
    equal(log.events, [], 'events of a new session');
    equal(await (await lab.storage()).list(), [], 'list');
    await log.close();
  });

  check('events come back as they were written, in order', async (lab) => {
    const log = await lab.open('a');
    await log.append([event('a', 1), event('a', 2, { text: 'é\u0000\ud800 "\n' })], { durable: false });
    await log.append([event('a', 3)], { durable: true });
    await log.close();
    equal((await lab.open('a')).events, [event('a', 1), event('a', 2, { text: 'é\u0000\ud800 "\n' }), event('a', 3)], 'events');
    equal(await (await lab.storage()).list(), ['a'], 'list');
  });

  check('writes keep the order in which they were asked for', async (lab) => {
    const log = await lab.open('a');
    const all = Array.from({ length: 200 }, (_, i) => event('a', i + 1));
    await Promise.all(all.map((each, i) => Promise.resolve(log.append([each], { durable: i % 7 === 0 }))));
    await log.close();
    equal(
      (await lab.open('a')).events.map((each) => (each as JournalEvent).seq),
      all.map(({ seq }) => seq),
      'order',
    );
  });

  check('values are found by their reference, and only by theirs', async (lab) => {
    const big = JSON.stringify('x'.repeat(1_000_000));
    const [a, b] = [await lab.open('a'), await lab.open('b')];
    await Promise.all([a.putValue('r', big), b.putValue('r', '"of b"')]);
    equal(await a.getValue('r'), big, 'a large value');
    equal(await b.getValue('r'), '"of b"', 'the same reference in another session');
    equal(await a.getValue('other'), undefined, 'an unknown reference');
  });

  check('a value is readable as soon as an event that refers to it is stored', async (lab) => {
    const log = await lab.open('a');
    const put = log.putValue('r', '"v"');
    await log.append([event('a', 1)], { durable: true });
    equal(await log.getValue('r'), '"v"', 'value');
    await put;
  });

  check('sessions are apart', async (lab) => {
    const [a, b] = [await lab.open('a'), await lab.open('b')];
    await Promise.all([a.append([event('a', 1)], { durable: true }), b.append([event('b', 1)], { durable: true })]);
    await Promise.all([a.close(), b.close()]);
    equal((await lab.open('a')).events, [event('a', 1)], 'events of a');
    equal([...(await (await lab.storage()).list())].sort(), ['a', 'b'], 'list');
  });

  check('of two writers of one sequence number only the first is right', async (lab) => {
    const [one, two] = [await lab.open('a'), await lab.open('a')];
    await one.append([event('a', 1)], { durable: true });
    await rejects(async () => two.append([event('a', 1), event('a', 2)], { durable: true }), 'a taken number');
    await one.close();
    equal((await lab.open('a')).events, [event('a', 1)], 'events: all or nothing');
  });

  check('what is removed goes in the step of what is appended', async (lab) => {
    const log = await lab.open('a');
    await log.putValue('old', '1');
    await log.putValue('new', '2');
    await log.append(
      [1, 2, 3, 4].map((seq) => event('a', seq)),
      { durable: false },
    );
    await log.append([event('a', 5)], { durable: false, remove: { ranges: [[2, 3]], refs: ['old'] } });
    equal([await log.getValue('old'), await log.getValue('new')], [undefined, '2'], 'values');
    await log.close();
    equal((await lab.open('a')).events, [event('a', 1), event('a', 4), event('a', 5)], 'events');
  });

  check('a damaged end can be set aside, and the log goes on there', async (lab) => {
    const log = await lab.open('a');
    if (!log.setAside) return;
    await log.append([event('a', 1), event('a', 2), event('a', 3)], { durable: true });
    await log.setAside(2);
    await log.append([event('a', 2, { text: 'again' })], { durable: true });
    await log.close();
    equal((await lab.open('a')).events, [event('a', 1), event('a', 2, { text: 'again' })], 'events');
  });

  check('a deleted session is gone with its values, the others stay', async (lab) => {
    const [a, b] = [await lab.open('a'), await lab.open('b')];
    await a.putValue('r', '1');
    await a.append([event('a', 1)], { durable: true });
    await b.append([event('b', 1)], { durable: true });
    await Promise.all([a.close(), b.close()]);
    const storage = await lab.storage();
    await storage.delete('a');
    await storage.delete('never there');
    equal(await storage.list(), ['b'], 'list');
    const again = await lab.open('a');
    equal([again.events, await again.getValue('r')], [[], undefined], 'what is left');
  });

  if (survives) {
    check('another storage of the same place finds what was durable, without the first being closed', async (lab) => {
      const log = await lab.open('a');
      await log.putValue('r', '"kept"');
      await log.append([event('a', 1)], { durable: true });
      const other = await (await lab.another()).open('a');
      equal([other.events, await other.getValue('r')], [[event('a', 1)], '"kept"'], 'events and value');
      await log.append([event('a', 2)], { durable: true });
      if (other.since) equal(await other.since(1), [event('a', 2)], 'what came after');
      await other.close();
    });
  }

  check('with an ownership: one owner, viewers that hear and ask, and the next owner when it leaves', async (lab) => {
    const ownership = (await lab.storage()).ownership;
    if (!ownership) return;
    const owner = await ownership.join('a');
    const viewer = await ownership.join('a');
    equal([owner.role, viewer.role], ['owner', 'viewer'], 'roles');
    const heard = new Promise((resolve) => viewer.onEvents(resolve));
    owner.publish([event('a', 1)]);
    equal(await heard, [event('a', 1)], 'events that the viewer heard');
    owner.onAsk(async (question) => ({ answered: question }));
    equal(await viewer.ask([1]), { answered: [1] }, 'answer');
    equal(await ownership.whileFree('a', async () => undefined), false, 'whileFree of an owned session');
    const promoted = new Promise((resolve) => viewer.onRole(resolve));
    owner.leave();
    equal(await promoted, 'owner', 'the next owner');
    viewer.leave();
  });
}

/** Storages and logs of one test. */
class Lab {
  readonly #create: (place: string) => JournalStorage | Promise<JournalStorage>;
  readonly #place: string;
  readonly #logs: JournalLog[] = [];
  #storage: Promise<JournalStorage> | undefined;

  constructor(create: (place: string) => JournalStorage | Promise<JournalStorage>, place: string) {
    this.#create = create;
    this.#place = place;
  }

  storage(): Promise<JournalStorage> {
    return (this.#storage ??= this.another());
  }

  async another(): Promise<JournalStorage> {
    return this.#create(this.#place);
  }

  async open(sessionId: string): Promise<JournalLog> {
    const log = await (await this.storage()).open(sessionId);
    this.#logs.push(log);
    return log;
  }

  async end(): Promise<void> {
    for (const log of this.#logs) await log.close();
  }
}

function event(sessionId: string, seq: number, data: { readonly text?: string } = {}): JournalEvent {
  const { text = 'x' } = data;
  return {
    v: JOURNAL_VERSION,
    seq,
    time: 1_000 + seq,
    sessionId,
    runId: 'r',
    type: 'output.written',
    data: { level: 'log', text },
  };
}

/** @throws Error that names both sides */
function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [canonical(actual), canonical(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b.slice(0, 500)}, got ${a.slice(0, 500)}`);
}

/** Fields in the order of their names: equal data is equal text. */
function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? 'undefined';
}

async function rejects(work: () => Promise<unknown>, what: string): Promise<void> {
  try {
    await work();
  } catch {
    return;
  }
  throw new Error(`${what} was accepted`);
}
