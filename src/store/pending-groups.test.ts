import { describe, expect, it } from 'vitest';
import { JOURNAL_VERSION, type EventData, type EventType, type JournalEvent } from '../journal/events.ts';
import { pendingGroups } from './pending-groups.ts';
import { emptyState, reduceAll } from './reduce.ts';
import type { SessionState } from './state.ts';

/** A run whose calls all wait: tool, input as its text, line. */
function waiting(calls: readonly (readonly [tool: string, input: string, line?: number])[]): SessionState {
  let seq = 0;
  const event = <T extends EventType>(type: T, data: EventData[T]): JournalEvent =>
    ({ v: JOURNAL_VERSION, seq: ++seq, time: seq, sessionId: 's', runId: 'r', type, data }) as unknown as JournalEvent;
  const events = [event('run.queued', { source: '' })];
  calls.forEach(([tool, text, line], index) => {
    const callId = `r:${index + 1}`;
    const input = { inline: text };
    const site = line === undefined ? {} : { site: { line, column: 1 } };
    events.push(
      event('tool_call.requested', { callId, ordinal: index + 1, tool, input, inputBytes: text.length, group: 1, ...site }),
      event('approval.requested', { callId, question: '?', risk: 'write', input, inputDigest: 'same for all' }),
    );
  });
  return reduceAll(emptyState('s'), events);
}

describe('waiting calls as a person counts them', () => {
  it('each stand alone when they may have happened: about one of two equal calls the truth may be another', () => {
    const state = waiting([
      ['pay', '{}'],
      ['pay', '{}'],
      ['pay', '{}'],
    ]);
    const runs = structuredClone(state.runs) as unknown as { r: { calls: { approval: { doubt?: true } }[] } };
    runs.r.calls[1]!.approval.doubt = true;
    const groups = pendingGroups({ ...state, runs: runs as unknown as SessionState['runs'] });
    expect(groups.map(({ callIds }) => callIds)).toEqual([['r:1', 'r:3'], ['r:2']]);
  });

  it('are one question where tool and input are the same, with a count and totals', () => {
    const pay = '{"amount":12.5,"to":"ann","orderId":7}';
    const groups = pendingGroups(
      waiting([
        ['pay', pay, 3],
        ['pay', pay, 3],
        ['mail', pay, 4],
        ['pay', pay, 5],
      ]),
    );
    expect(groups).toEqual([
      {
        key: 'r:1',
        runId: 'r',
        tool: 'pay',
        callIds: ['r:1', 'r:2', 'r:4'],
        count: 3,
        sites: [
          { line: 3, column: 1 },
          { line: 5, column: 1 },
        ],
        totals: [{ path: 'amount', each: 12.5, total: 37.5 }],
      },
      expect.objectContaining({ key: 'r:3', tool: 'mail', count: 1, totals: [{ path: 'amount', each: 12.5, total: 12.5 }] }),
    ]);
  });

  it('are compared by their text, not by its digest', () => {
    expect(
      pendingGroups(
        waiting([
          ['pay', '{"amount":1}'],
          ['pay', '{"amount":2}'],
        ]),
      ),
    ).toHaveLength(2);
  });

  it('keep their key while the group waits, whoever of it is decided', () => {
    const state = waiting([
      ['pay', '1'],
      ['pay', '2'],
      ['pay', '1'],
    ]);
    const less = { ...state, pending: state.pending.slice(1) };
    expect(pendingGroups(less).map(({ key, count }) => [key, count])).toEqual([
      ['r:2', 1],
      ['r:3', 1],
    ]);
  });

  it('add up what is an amount: nested numbers, no ids, not a table of data', () => {
    const totals = (input: unknown) => pendingGroups(waiting([['t', JSON.stringify(input)]]))[0]?.totals.map(({ path }) => path);
    expect(totals({ paid: 1, order: { price: 2, id: 3, customer_no: 4, pageNumber: 5 }, list: [6] })).toEqual([
      'paid',
      'order.price',
    ]);
    expect(totals(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}x`, i])))).toEqual([]);
    expect(totals(5)).toEqual([]);
  });
});
