import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../journal/memory-storage.ts';
import type { JournalLog, JournalStorage } from '../journal/storage.ts';
import { storageConformance } from './storage-conformance.ts';

describe('memory storage', () => {
  storageConformance(() => memoryStorage(), { test: it });
});

/** Names of the checks that a storage fails. */
async function failuresOf(change: (log: JournalLog) => Partial<JournalLog>): Promise<string[]> {
  const bodies: [string, () => Promise<void>][] = [];
  const create = (): JournalStorage => {
    const storage = memoryStorage();
    return {
      ...storage,
      open(id) {
        const log = storage.open(id) as JournalLog;
        return { ...log, ...change(log) };
      },
    };
  };
  storageConformance(create, { test: (name, body) => void bodies.push([name, body]) });
  const failed: string[] = [];
  for (const [name, body] of bodies) await body().catch(() => failed.push(name));
  return failed;
}

describe('the conformance suite', () => {
  it('has nothing to say against a storage as it should be', async () => {
    expect(await failuresOf(() => ({}))).toEqual([]);
  });

  it.each<[string, (log: JournalLog) => Partial<JournalLog>]>([
    ['loses events', () => ({ append: () => undefined })],
    ['turns events round', (log) => ({ append: (events, options) => log.append([...events].reverse(), options) })],
    ['forgets values', () => ({ putValue: () => undefined })],
    ['removes nothing', (log) => ({ append: (events) => log.append(events, { durable: false }) })],
    ['gives any value for a reference', () => ({ getValue: () => '"v"' })],
    ['sets nothing aside', () => ({ setAside: () => undefined })],
  ])('finds a storage that %s', async (_fault, change) => {
    expect((await failuresOf(change)).length).toBeGreaterThan(0);
  });
});
