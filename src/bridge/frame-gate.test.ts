import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, MAX_PREFLIGHT_CHARS, type WireCall } from '../protocol/wire.ts';
import { createFrameGate } from './frame-gate.ts';
import { aCall, aFrame, sent, SMALL_LIMITS } from './test-tools/frames.ts';

const isFrame = (value: unknown): value is Frame => typeof value === 'object' && value !== null && 'runId' in value;
const gate = () => createFrameGate('run', SMALL_LIMITS);
const why = (message: unknown): string | undefined => {
  const verdict = gate().check(message);
  return verdict.ok ? undefined : verdict.why;
};

test('a frame passes as it was packed', () => {
  const frame = aFrame({
    output: [
      { kind: 'console', level: 'log', text: 'hi', site: { line: 1, column: 2 } },
      { kind: 'emit', value: '1' },
    ],
    delivered: [{ kind: 'timer', id: 3 }],
    clock: [[1_700_000_000_000, 2]],
    calls: [aCall(1, { intent: 'because', site: { line: 1, column: 1 } }), aCall(2)],
    nextTimerMs: 5,
  });
  expect(gate().check(sent(frame))).toEqual({ ok: true, frame });
  expect(why([...sent(frame), 'more'])).toBe('no frame');
  expect(why(sent(frame).slice(0, -1))).toBe('no frame');
  expect(why(frame)).toBe('no frame');
});

test('a list of nothing but holes is refused before it is looked through', () => {
  const hollow = (place: number, entries: number, length: number): unknown =>
    Object.assign([...sent(aFrame())], { [place]: entries, length });
  // Looked through, each would take the memory of the page.
  const many = 500_000_000;
  for (const message of [
    hollow(6, many, 9 + many * 4),
    hollow(7, many, 9 + many * 2),
    hollow(8, many, 9 + many * 2),
    hollow(6, 0, 9 + many * 7),
  ])
    expect(why(message)).toBe('no frame');
});

test('every frame comes out as it went in', () => {
  const site = fc.option(fc.record({ line: fc.nat(99), column: fc.nat(99) }), { nil: undefined });
  const limits = { ...SMALL_LIMITS, maxCalls: 50, maxInputBytes: 500, maxOutputBytes: 10_000 };
  const frames = fc.record({
    output: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('emit' as const), value: fc.string(), site }),
        fc.record({ kind: fc.constant('console' as const), level: fc.constantFrom('log', 'warn'), text: fc.string(), site }),
      ),
      { maxLength: 5 },
    ),
    delivered: fc.array(fc.record({ kind: fc.constantFrom('call', 'timer'), id: fc.nat(99) }), { maxLength: 5 }),
    clock: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 99 })), { maxLength: 5 }),
    calls: fc
      .array(fc.record({ tool: fc.string(), input: fc.string(), site, intent: fc.option(fc.string(), { nil: undefined }) }), {
        maxLength: 5,
      })
      .map((list) => list.map((call, index) => ({ id: index + 1, kind: 'tool' as const, ...call }))),
    computeMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    memoryBytes: fc.nat(),
    quiescent: fc.boolean(),
    nextTimerMs: fc.option(fc.nat(99), { nil: undefined }),
  });
  fc.assert(
    fc.property(frames, (fields) => {
      const frame = aFrame(fields as Partial<Frame>);
      expect(createFrameGate('run', limits).check(structuredClone(sent(frame)))).toEqual({ ok: true, frame });
    }),
  );
});

test('frames follow each other without a gap, and so do the ids of calls', () => {
  const run = gate();
  expect(run.check(sent(aFrame({ calls: [aCall(1), aCall(2)] }))).ok).toBe(true);
  expect(run.check(sent(aFrame({ seq: 3 }))).ok).toBe(false);
  expect(run.check(sent(aFrame({ seq: 2, calls: [aCall(2)] }))).ok).toBe(false);
  expect(run.check(sent(aFrame({ seq: 2, calls: [aCall(4)] }))).ok).toBe(false);
  expect(run.check(sent(aFrame({ seq: 2, calls: [aCall(3)] }))).ok).toBe(true);
  expect(run.frames).toBe(2);
});

test.each<[string, unknown, string | undefined]>([
  ['calls at the limit', aFrame({ calls: [1, 2, 3, 4, 5].map((id) => aCall(id)) }), undefined],
  ['a call above it', aFrame({ calls: [1, 2, 3, 4, 5, 6].map((id) => aCall(id)) }), 'calls'],
  ['an input at the limit', aFrame({ calls: [aCall(1, { input: 'x'.repeat(50) })] }), undefined],
  ['an input above it', aFrame({ calls: [aCall(1, { input: 'x'.repeat(51) })] }), 'calls'],
  ['an emitted value at the limit', aFrame({ output: [{ kind: 'emit', value: 'x'.repeat(1_000) }] }), undefined],
  ['an emitted value above it', aFrame({ output: [{ kind: 'emit', value: 'x'.repeat(1_001) }] }), 'output'],
  ['a line of output at the limit', aFrame({ output: [{ kind: 'console', level: 'log', text: 'x'.repeat(1_000) }] }), undefined],
  ['a line above it', aFrame({ output: [{ kind: 'console', level: 'log', text: 'x'.repeat(1_001) }] }), 'output'],
  ['another run', aFrame({ runId: 'other' }), 'runId'],
  ['no kind of call', aFrame({ calls: [aCall(1, { kind: 'settle' as never })] }), 'calls'],
  ['a time of nowhere', aFrame({ computeMs: Number.NaN }), 'computeMs'],
  ['a memory below zero', aFrame({ memoryBytes: -1 }), 'memoryBytes'],
  ['a map', new Map(), 'no frame'],
  ['a list', [], 'no frame'],
  ['nothing', null, 'no frame'],
])('%s: %#', (_what, message, reason) => {
  expect(why(isFrame(message) ? sent(message) : message)).toBe(reason);
});

test('the question whether to run comes first, alone, and only when it was asked for', () => {
  const question = aCall(0, { kind: 'preflight', tool: '', input: '{}' });
  const asking = (...calls: WireCall[]) => createFrameGate('run', SMALL_LIMITS, true).check(sent(aFrame({ calls }))).ok;
  expect(asking(question)).toBe(true);
  expect(gate().check(sent(aFrame({ calls: [question] }))).ok).toBe(false);
  expect(asking(question, aCall(1))).toBe(false);
  expect(asking({ ...question, id: 1 })).toBe(false);
  expect(asking({ ...question, tool: 'echo' })).toBe(false);
  expect(asking({ ...question, kind: 'tool' })).toBe(false);
  expect(asking({ ...question, input: 'x'.repeat(MAX_PREFLIGHT_CHARS + 1) })).toBe(false);
  // It may be longer than an input, and counts as no call.
  const run = createFrameGate('run', SMALL_LIMITS, true);
  expect(run.check(sent(aFrame({ calls: [{ ...question, input: 'x'.repeat(SMALL_LIMITS.maxInputBytes * 2) }] }))).ok).toBe(true);
  expect(run.check(sent(aFrame({ seq: 2, calls: [1, 2, 3, 4, 5].map((id) => aCall(id)) }))).ok).toBe(true);
  const late = createFrameGate('run', SMALL_LIMITS, true);
  expect(late.check(sent(aFrame())).ok).toBe(true);
  expect(late.check(sent(aFrame({ seq: 2, calls: [question] }))).ok).toBe(false);
});

test('a worker that sends frames with nothing in them is stopped', () => {
  const run = gate();
  const verdicts = Array.from({ length: 101 }, (_, index) => run.check(sent(aFrame({ seq: index + 1 }))).ok);
  expect(verdicts.indexOf(false)).toBe(100);
});

test('what only informs is cut, so that a program with an endless name is no breach', () => {
  const verdict = gate().check(sent(aFrame({ calls: [aCall(1, { tool: 'n'.repeat(5_000), intent: 'w'.repeat(50_000) })] })));
  const call = verdict.ok ? verdict.frame.calls[0] : undefined;
  expect(call?.tool).toBe(`${'n'.repeat(1_023)}…`);
  expect(call?.intent?.length).toBe(16_384);
});

test('output of many frames together stays within the limit', () => {
  const run = gate();
  const results = Array.from({ length: 5 }, (_, index) =>
    run.check(sent(aFrame({ seq: index + 1, output: [{ kind: 'console', level: 'log', text: 'x'.repeat(900) }] }))),
  );
  expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false, false]);
});

test('whatever arrives: no exception, and what passes is a frame of this run', () => {
  const nearly = fc
    .record(
      {
        runId: fc.constantFrom('run', 'other'),
        seq: fc.oneof(fc.constant(1), fc.anything()),
        output: fc.oneof(fc.constant([]), fc.array(fc.anything()), fc.anything()),
        delivered: fc.oneof(fc.constant([]), fc.array(fc.record({ kind: fc.constantFrom('call', 'x'), id: fc.anything() }))),
        clock: fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.double(), fc.integer())), fc.anything()),
        calls: fc.oneof(
          fc.constant([]),
          fc.array(fc.record({ id: fc.constant(1), kind: fc.constant('tool'), tool: fc.string(), input: fc.anything() }), {
            maxLength: 2,
          }),
        ),
        computeMs: fc.oneof(fc.constant(1), fc.anything()),
        memoryBytes: fc.double(),
        quiescent: fc.oneof(fc.boolean(), fc.anything()),
      },
      { requiredKeys: ['runId', 'seq', 'output', 'delivered', 'clock', 'calls'] },
    )
    .map((frame) => sent(frame as { [K in keyof Frame]: unknown }));
  // A good frame with something else in one of its places.
  const honest = aFrame({
    output: [{ kind: 'emit', value: '1' }],
    delivered: [{ kind: 'call', id: 1 }],
    clock: [[1, 1]],
    calls: [aCall(1)],
  });
  const oneOff = fc
    .tuple(fc.nat(30), fc.oneof(fc.constantFrom<unknown>(0, 1, 2, -1, 0.5, 4e9, undefined, null), fc.anything()))
    .map(([place, value]) => Object.assign([...sent(honest)], { [place]: value }));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withTypedArray: true }),
        nearly,
        oneOff,
      ),
      (message) => {
        const verdict = gate().check(message);
        if (!verdict.ok) return;
        const frame: Frame = verdict.frame;
        expect(frame.runId).toBe('run');
        expect(frame.seq).toBe(1);
        expect(frame.calls.every((call, index) => call.id === index + 1 && typeof call.input === 'string')).toBe(true);
        expect(Number.isFinite(frame.computeMs) && Number.isFinite(frame.memoryBytes)).toBe(true);
        expect(structuredClone(frame)).toEqual(frame);
      },
    ),
    { numRuns: 1_000 },
  );
}, 30_000);
