import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callById } from '../store/calls.ts';
import { emptyState, reduce, reduceAll } from '../store/reduce.ts';
import type { SessionState } from '../store/state.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { JOURNAL_VERSION, type JournalEvent } from './events.ts';
import { openJournal } from './journal.ts';
import { memoryStorage } from './memory-storage.ts';
import { readEvents } from './read-events.ts';
import type { JournalLog, JournalStorage } from './storage.ts';
import { expectedOf, type Recording } from './test-tools/recording.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const versions = readdirSync(FIXTURES);
const recordings = versions.flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((file): [string, Recording] => [
    `${version}/${file}`,
    JSON.parse(readFileSync(join(FIXTURES, version, file), 'utf8')) as Recording,
  ]),
);
const sequential = recordings.find(([name]) => name === `v${JOURNAL_VERSION}/sequential.json`)![1].events;

describe('a recording', () => {
  it('is there for every version, and is never of a version to come', () => {
    expect(new Set(versions)).toEqual(new Set(Array.from({ length: JOURNAL_VERSION }, (_, i) => `v${i + 1}`)));
    for (const [name, { version, events }] of recordings) {
      expect(name).toMatch(new RegExp(`^v${version}/`));
      expect(events.every((event) => event.v === version)).toBe(true);
    }
  });

  it.each(recordings)('%s reads as it did when it was written', (_name, { events, expected }) => {
    const { events: read, damage } = readEvents(events);
    expect(damage).toBeUndefined();
    expect(read.every((event) => event.v === JOURNAL_VERSION)).toBe(true);
    expect(read.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
    expect(expectedOf(reduceAll(emptyState('s'), read))).toEqual(expected);
  });

  it.each(recordings)('%s gives a valid state for each of its beginnings', (_name, { events }) => {
    const { events: read } = readEvents(events);
    let state = emptyState('s');
    for (const [at, event] of read.entries()) {
      state = reduce(state, event);
      expectValid(state);
      expect(state).toEqual(reduceAll(emptyState('s'), read.slice(0, at + 1)));
    }
  });

  it('of version 1 holds the same clock readings afterwards, each counted from the one before', () => {
    const [, { events }] = recordings.find(([name]) => name === 'v1/sequential.json')!;
    const readings = (list: readonly JournalEvent[], step: (at: number, ms: number) => number): number[] => {
      let at = 0;
      return list.flatMap((event) =>
        event.type === 'delivery'
          ? event.data.clock.flatMap(([ms, times]) => Array<number>(times).fill((at = step(at, ms))))
          : [],
      );
    };
    const before = readings(events, (_at, ms) => ms);
    expect(before.length).toBeGreaterThan(20);
    expect(readings(readEvents(events).events, (at, ms) => at + ms)).toEqual(before);
  });
});

/** What views rely on, whatever the events say. */
function expectValid(state: SessionState): void {
  for (const id of state.runOrder) expect(state.runs[id]?.id).toBe(id);
  for (const run of Object.values(state.runs)) {
    expect(state.runOrder).toContain(run.id);
    for (const call of run.calls) expect(call.runId).toBe(run.id);
  }
  for (const id of state.pending) expect(callById(state, id)?.status).toBe('waiting_approval');
}

describe('reading', () => {
  it('keeps what is good before the first bad record', () => {
    fc.assert(
      fc.property(
        fc.nat(sequential.length - 1),
        fc.constantFrom<(event: JournalEvent) => unknown>(
          () => undefined,
          () => 'text',
          (event) => ({ ...event, data: null }),
          (event) => ({ ...event, data: {} }),
          (event) => ({ ...event, type: 7 }),
          (event) => ({ ...event, v: 0 }),
          (event) => ({ ...event, seq: event.seq + 1 }),
          (event) => ({ ...event, sessionId: 'other' }),
          (event) => ({ ...event, time: 'late' }),
        ),
        (at, spoil) => {
          fc.pre(sequential[at]?.type !== 'run.resumed');
          const records = sequential.map((event, i) => (i === at ? spoil(event) : event));
          const { events, damage } = readEvents(records, 'sequential');
          expect(events).toEqual(sequential.slice(0, at));
          expect(damage).toMatchObject({ fromSeq: at + 1, lost: sequential.length - at });
        },
      ),
    );
  });

  it('takes any record for what it is: never an exception, but for a newer version', () => {
    const record = fc.record(
      {
        v: fc.constantFrom(1, 2, 0, -1, 'x', null),
        seq: fc.constantFrom(1, 2, 3, 1.5, '1'),
        time: fc.anything(),
        sessionId: fc.constantFrom('s', 1),
        runId: fc.constantFrom('r', 2, undefined),
        type: fc.constantFrom(...new Set(sequential.map(({ type }) => type)), 'new.kind', 5),
        data: fc.oneof(fc.anything(), fc.constantFrom(...sequential.map(({ data }) => data))),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(record, fc.anything()), { maxLength: 5 }), (records) => {
        const { events } = readEvents(records);
        expectValid(reduceAll(emptyState('s'), events));
      }),
    );
  });

  it('refuses a newer version as a whole, and says so', () => {
    const newer = sequential.map((event, i) => (i === 5 ? { ...event, v: JOURNAL_VERSION + 1 } : event));
    expect(() => readEvents(newer)).toThrow(
      expect.objectContaining({ code: 'storage_error', message: expect.stringContaining('newer version') }) as Error,
    );
  });

  it('lets an event of an unknown kind pass: a later addition is no damage', () => {
    const [first, ...rest] = sequential;
    const added = [first, { ...first, seq: 2, type: 'weather.changed', data: { sky: 'blue' } }].concat(
      rest.map((event) => ({ ...event, seq: event.seq + 1 })),
    );
    expect(readEvents(added)).toMatchObject({ events: { length: sequential.length + 1 } });
    expect(readEvents(added).damage).toBeUndefined();
  });
});

/** A storage that gives these records for every session. */
function damaged(records: readonly unknown[], setAside?: JournalLog['setAside']): JournalStorage {
  const storage = memoryStorage();
  return {
    ...storage,
    open: (id) => ({ ...(storage.open(id) as JournalLog), events: records, ownEvents: false, setAside }),
  };
}

describe('a journal whose end is damaged', () => {
  const records = [...sequential.slice(0, 4), { torn: true }, ...sequential.slice(5)];

  it('is opened with what is good, and says what was lost', async () => {
    const aside: number[] = [];
    const journal = openJournal(
      damaged(records, (seq) => void aside.push(seq)),
      'sequential',
      createFakeClock(),
    );
    await journal.opened;
    expect(aside).toEqual([5]);
    expect(journal.events.slice(0, 4)).toEqual(sequential.slice(0, 4));
    expect(journal.events.slice(4)).toMatchObject([
      { seq: 5, type: 'journal.damaged', data: { reason: 'an event has no version', fromSeq: 5, lost: sequential.length - 4 } },
    ]);
  });

  it('is not opened where nobody can set the rest aside: going on would lose more', async () => {
    const journal = openJournal(damaged(records), 'sequential', createFakeClock());
    await expect(journal.opened).rejects.toMatchObject({ code: 'storage_error', data: { fromSeq: 5 } });
  });
});
