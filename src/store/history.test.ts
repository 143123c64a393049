import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventData, type EventType, JOURNAL_VERSION, type JournalEvent } from '../journal/events.ts';
import { historyOf } from './history.ts';
import { emptyState, reduceAll } from './reduce.ts';

const event = <T extends EventType>(seq: number, type: T, data: EventData[T]): JournalEvent =>
  ({ v: JOURNAL_VERSION, seq, time: seq, sessionId: 's', runId: 'r', type, data }) as unknown as JournalEvent;

function journal(length: number): JournalEvent[] {
  const lines = Array.from({ length }, (_, at) => event(at + 2, 'output.written', { level: 'log', text: `line ${at}` }));
  return [event(1, 'run.queued', { source: 'x' }), ...lines];
}

const prefix = (events: readonly JournalEvent[], seq: number) =>
  reduceAll(
    emptyState('s'),
    events.filter((each) => each.seq <= seq),
  );

describe('a history', () => {
  it('gives the state of any moment, in any order of asking', () => {
    const events = journal(1_300);
    const history = historyOf('s', events);
    fc.assert(
      fc.property(fc.array(fc.nat(1_400), { minLength: 1, maxLength: 12 }), (moments) => {
        for (const seq of moments) expect(history.after(seq)).toEqual(prefix(events, seq));
      }),
      { numRuns: 30 },
    );
  });

  it('grows with its journal and keeps the identity of a moment', () => {
    const events = journal(10);
    const history = historyOf('s', events);
    const before = history.after(8);
    expect(history.after(8)).toBe(before);
    events.push(event(12, 'output.written', { level: 'log', text: 'new' }));
    expect(history.after(12)).toEqual(prefix(events, 12));
    expect(historyOf('s', events)).toBe(history);
  });

  it('forgets what retention took out of the journal', () => {
    const events = journal(1_300);
    const history = historyOf('s', events);
    history.after(1_301);
    events.splice(100, 700);
    for (const seq of [1_301, 1_000, 90, 0]) expect(history.after(seq)).toEqual(prefix(events, seq));
  });

  it('prepares the states that steps start from one at a time, and follows a journal that grows or is cut', () => {
    const events = journal(1_300);
    const history = historyOf('s', events);
    const steps = (): number => {
      let count = 1;
      while (history.prepare()) count += 1;
      return count;
    };
    expect(steps()).toBe(2);
    expect(history.prepare()).toBe(false);
    for (const seq of [1_301, 700, 1]) expect(history.after(seq)).toEqual(prefix(events, seq));
    events.push(...journal(2_000).slice(1_301));
    expect(steps()).toBe(1);
    events.splice(100, 700);
    expect(steps()).toBeLessThan(4);
    for (const seq of [2_001, 1_000, 90]) expect(history.after(seq)).toEqual(prefix(events, seq));
  });
});
