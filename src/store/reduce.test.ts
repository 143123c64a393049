import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { type EventData, type EventType, JOURNAL_VERSION, type JournalEvent } from '../journal/events.ts';
import { emptyState, reduce, reduceAll } from './reduce.ts';
import type { SessionState } from './state.ts';
import { callById } from './calls.ts';

const STATS = { computeMs: 1, peakMemoryBytes: 2, calls: 1, transferBytes: 3 };
const text = (json: string) => ({ inline: json });
const request = (n: number) => ({ callId: `r:${n}`, ordinal: n, tool: 't', input: text('{}'), inputBytes: 2, group: 1 });
const ask = (n: number) => ({
  callId: `r:${n}`,
  question: 'Run t?',
  risk: 'write' as const,
  input: text('{}'),
  inputDigest: 'd',
});

let clock = 0;
const event = <T extends EventType>(type: T, data: EventData[T], runId = 'r'): JournalEvent =>
  ({ v: JOURNAL_VERSION, seq: ++clock, time: clock * 10, sessionId: 's', runId, type, data }) as unknown as JournalEvent;

const QUEUED = () => event('run.queued', { source: 'x' });
const STARTED = () =>
  event('run.started', {
    seed: [1, 2, 3, 4],
    locale: 'en',
    timeZone: 'UTC',
    engine: 'e',
    protocol: 1,
    catalogVersion: 'v',
    limits: DEFAULT_LIMITS,
    state: 'run',
    fresh: true,
  });
const state = (...events: JournalEvent[]): SessionState => reduceAll(emptyState('s'), events);

describe('reduce', () => {
  it('takes any id for a run', () => {
    for (const id of ['__proto__', 'constructor', 'toString']) {
      const after = state(
        event('run.queued', { source: 'x' }, id),
        event('run.completed', { stats: STATS, warnings: [], notAwaited: [] }, id),
      );
      expect(Object.keys(after.runs)).toEqual([id]);
      expect(after.runs[id]).toMatchObject({ id, status: 'completed' });
    }
  });

  it('shows a call from request to result', () => {
    const after = state(
      QUEUED(),
      STARTED(),
      event('tool_call.requested', request(1)),
      event('tool_call.started', { callId: 'r:1' }),
      event('tool_call.succeeded', { callId: 'r:1', output: text('7'), outputBytes: 1 }),
    );
    expect(callById(after, 'r:1')).toMatchObject({ status: 'succeeded', output: { inline: '7' }, outputBytes: 1 });
    expect(after.runs['r']).toMatchObject({ status: 'running', calls: [{ id: 'r:1' }], items: [{ kind: 'call', index: 0 }] });
  });

  it('queues approvals in the order they were asked and takes decided ones out', () => {
    const open = state(
      QUEUED(),
      event('tool_call.requested', request(1)),
      event('tool_call.requested', request(2)),
      event('approval.requested', ask(2)),
      event('approval.requested', ask(1)),
    );
    expect(open.pending).toEqual(['r:2', 'r:1']);
    const one = reduce(open, event('approval.decided', { callId: 'r:2', decision: 'deny', reason: 'no' }));
    expect(one.pending).toEqual(['r:1']);
    expect(callById(one, 'r:2')).toMatchObject({
      status: 'denied',
      approval: { decision: 'deny', decisionReason: 'no' },
      error: { code: 'tool_denied', message: 'no' },
    });
    const two = reduce(one, event('approval.decided', { callId: 'r:1', decision: 'allow' }));
    expect(two).toMatchObject({ pending: [], runs: { r: { calls: [{ status: 'requested' }, { status: 'denied' }] } } });
  });

  it('keeps a cancelled call cancelled when its late result arrives', () => {
    const after = state(
      QUEUED(),
      event('tool_call.requested', request(1)),
      event('tool_call.started', { callId: 'r:1' }),
      event('tool_call.cancelled', { callId: 'r:1', reason: 'stop' }),
      event('tool_call.succeeded', { callId: 'r:1', output: text('7'), outputBytes: 1 }),
    );
    expect(callById(after, 'r:1')?.status).toBe('cancelled');
    expect(callById(after, 'r:1')?.output).toBeUndefined();
  });

  it('knows when the program got the end of a call', () => {
    const events = [
      QUEUED(),
      event('tool_call.requested', request(1)),
      event('tool_call.requested', request(2)),
      event('tool_call.started', { callId: 'r:1' }),
      event('tool_call.succeeded', { callId: 'r:1', output: text('7'), outputBytes: 1 }),
    ];
    const items = [
      { kind: 'timer', id: 2 },
      { kind: 'call', id: 1 },
      { kind: 'call', id: 2 },
    ] as const;
    const first = event('delivery', { items, clock: [] });
    const again = event('delivery', { items, clock: [] });
    const after = state(...events, first, again);
    expect(callById(after, 'r:1')).toMatchObject({ status: 'succeeded', deliveredAt: first.time });
    expect(callById(after, 'r:2')).not.toHaveProperty('deliveredAt');
  });

  it('keeps the end of a run', () => {
    const after = state(
      QUEUED(),
      STARTED(),
      event('run.cancelled', { reason: 'stop', warnings: [], stats: STATS }),
      event('run.completed', { warnings: [], notAwaited: [], stats: STATS }),
    );
    expect(after.runs['r']).toMatchObject({ status: 'cancelled', cancelReason: 'stop' });
  });

  it('does not change the state it is given', () => {
    const before = state(QUEUED(), STARTED(), event('tool_call.requested', request(1)));
    const copy = structuredClone(before);
    reduceAll(before, [
      event('tool_call.started', { callId: 'r:1' }),
      event('output.written', { level: 'log', text: 'x' }),
      event('approval.requested', ask(1)),
    ]);
    expect(before).toEqual(copy);
  });
});

const anyEvent = fc.oneof(
  fc.constantFrom('r', 'q').map((runId) => () => event('run.queued', { source: 'x' }, runId)),
  fc.constantFrom('r', 'q').map((runId) => () => event('run.waiting', { callIds: [] }, runId)),
  fc.constant(STARTED),
  fc.constantFrom('r', 'q').map((runId) => () => event('run.completed', { warnings: [], notAwaited: [], stats: STATS }, runId)),
  fc.nat(3).map((n) => () => event('tool_call.requested', request(n))),
  fc.nat(3).map((n) => () => event('approval.requested', ask(n))),
  fc.nat(3).map((n) => () => event('approval.decided', { callId: `r:${n}`, decision: 'allow' })),
  fc.nat(3).map((n) => () => event('approval.expired', { callId: `r:${n}` })),
  fc.nat(3).map((n) => () => event('tool_call.started', { callId: `r:${n}` })),
  fc.nat(3).map((n) => () => event('tool_call.succeeded', { callId: `r:${n}`, output: text('1'), outputBytes: 1 })),
  fc.nat(3).map((n) => () => event('tool_call.cancelled', { callId: `r:${n}`, reason: 'x' })),
  fc.constant(() => event('output.written', { level: 'log' as const, text: 'x' })),
);

describe('reduce over any events', () => {
  it('gives a valid state for every prefix, alone or in one batch', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (makers) => {
        clock = 0;
        const events = makers.map((make) => make());
        let one = emptyState('s');
        events.forEach((next, index) => {
          one = reduce(one, next);
          expect(one).toEqual(reduceAll(emptyState('s'), events.slice(0, index + 1)));
          for (const id of one.pending) expect(callById(one, id)?.status).toBe('waiting_approval');
          for (const id of one.runOrder) expect(one.runs[id]?.id).toBe(id);
          for (const run of Object.values(one.runs)) for (const call of run.calls) expect(callById(one, call.id)).toBe(call);
        });
      }),
    );
  });
});
