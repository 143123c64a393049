/** A link whose worker sends whatever it likes, over both of its channels, while a run is under way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, PROTOCOL_VERSION, type WireCall } from '../protocol/wire.ts';
import { type Packed, unpackReplies } from '../protocol/packing.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { driveRun } from './run-driver.ts';
import { createSlots } from './slots.ts';
import { aCall, aFrame, sent as packed, SMALL_LIMITS } from './test-tools/frames.ts';
import { aHost, aRequest, echo } from './test-tools/requests.ts';
import { openLink } from './worker-link.ts';
import type { WorkerPort } from './worker-port.ts';

interface Forged {
  readonly port: WorkerPort;
  /** Over the port that Comlink listens on. */
  say(message: unknown): void;
  /** Over the run's own channel. */
  tell(message: unknown): void;
  /** Ids of open questions, by name. */
  readonly questions: Map<string, string>;
  /** What the page sent that was neither a question of ours, nor a farewell. */
  readonly leaked: unknown[];
  readonly replies: unknown[];
  terminated: boolean;
}

const QUESTIONS = ['init', 'run', 'cancel', 'analyze'];

function forge(): Forged {
  let deliver: (message: unknown) => void = () => {};
  let channel: MessagePort | undefined;
  const forged: Forged = {
    questions: new Map(),
    leaked: [],
    replies: [],
    terminated: false,
    // As the platform does: a worker's message is a copy.
    say: (message) => deliver(structuredClone(message)),
    tell: (message) => channel?.postMessage(message),
    port: {
      post(message) {
        const { id, type, path, argumentList } = message as {
          id: string;
          type: string;
          path: string[];
          argumentList?: { value: unknown }[];
        };
        if (type === 'APPLY' && path.length === 1 && QUESTIONS.includes(path[0]!)) forged.questions.set(path[0]!, id);
        else if (type !== 'RELEASE') forged.leaked.push(message);
        if (path?.[0] !== 'init') return;
        channel = argumentList?.[1]?.value as MessagePort;
        channel.onmessage = ({ data }) => forged.replies.push(data);
        queueMicrotask(() => forged.say({ id, type: 'RAW', value: { protocol: PROTOCOL_VERSION, engine: 'forged' } }));
      },
      onMessage(listener) {
        deliver = listener;
      },
      onFault() {},
      terminate() {
        forged.terminated = true;
        channel?.close();
      },
      ref() {},
      unref() {},
    },
  };
  return forged;
}

const RUN = 'this-run';
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** What structured clone carries and JSON does not. */
const odd = fc.oneof(
  fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withTypedArray: true, withSparseArray: true }),
  fc
    .constantFrom<() => unknown>(
      () => new SharedArrayBuffer(8),
      () => new ArrayBuffer(1 << 16),
      () => /a/g,
      () => new Error('x', { cause: new Error('y') }),
      () => new Proxy([], {}),
      () => Object.assign([], { length: 4e9 }),
      () => {
        const loop: Record<string, unknown> = {};
        return Object.assign(loop, { loop });
      },
      () => 'x'.repeat(1e5),
      () => Object.defineProperty({}, '__proto__', { value: { runId: RUN }, enumerable: true }),
      () => Number.NaN,
      () => -0,
    )
    .map((make) => make()),
);

const call: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: -1, max: 8 }).map((id) => aCall(id)),
  fc.record({
    id: fc.oneof(fc.constantFrom(1, 2, 1.5, -1, 0, 2 ** 53, '1'), odd),
    kind: fc.oneof(fc.constantFrom('tool', 'search', 'preflight', 'decide'), odd),
    tool: fc.oneof(fc.constantFrom('echo', 'hidden', '__proto__'), odd),
    input: fc.oneof(fc.constantFrom('{}', 'x'.repeat(51)), odd),
  }),
);

/** Mostly as it should be: one field is not. */
const oneWrong: fc.Arbitrary<object> = fc.oneof(
  ...Object.entries({
    runId: fc.oneof(fc.constantFrom('other', ''), odd),
    seq: fc.oneof(fc.constantFrom(0, 1, 2, 3, 7), odd),
    calls: fc.oneof(fc.array(call, { maxLength: 3 }), odd),
    output: fc.oneof(fc.array(odd, { maxLength: 2 }), odd),
    delivered: fc.oneof(fc.constant([{ kind: 'call', id: 1 }]), odd),
    clock: odd,
    computeMs: odd,
    quiescent: odd,
    nextTimerMs: fc.oneof(fc.double(), odd),
  }).map(([field, value]) => value.map((it) => ({ [field]: it }))),
);

const answer = fc.record({
  type: fc.oneof(fc.constantFrom('RAW', 'HANDLER', 'APPLY', 'GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'), odd),
  to: fc.constantFrom('init', 'run', 'nobody'),
  name: fc.constantFrom('throw', 'proxy', undefined),
  path: fc.constantFrom(['constructor', 'constructor'], [], undefined),
  value: fc.oneof(
    odd,
    fc.constant({ isError: true, value: { message: 'm', stack: 's' } }),
    fc.record({
      reply: fc.oneof(
        odd,
        fc.constant({ status: 'completed', value: '"forged"', warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 }),
      ),
      frames: fc.oneof(fc.constantFrom(0, 1, 2), odd),
      spent: fc.oneof(fc.boolean(), odd),
    }),
  ),
});

const END = { status: 'completed', value: '"forged"', warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 };
const end = fc
  .integer({ min: 0, max: 3 })
  .map((frames) => ({ to: 'run', type: 'RAW', value: { reply: END, frames, spent: false } }));

const step = fc.oneof(
  { weight: 1, arbitrary: end.map((message) => ({ as: 'answer' as const, message })) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }).map((calls) => ({ as: 'honest' as const, calls })) },
  { weight: 3, arbitrary: oneWrong.map((message) => ({ as: 'frame' as const, message })) },
  { weight: 1, arbitrary: odd.map((message) => ({ as: 'words' as const, message })) },
  { weight: 2, arbitrary: answer.map((message) => ({ as: 'answer' as const, message })) },
  { weight: 1, arbitrary: odd.map((message) => ({ as: 'noise' as const, message })) },
);

/** Not everything that is made can be sent at all. */
const sent = (send: () => void): void => {
  try {
    send();
  } catch (error) {
    if (!/clone|transfer/i.test(String(error))) throw error;
  }
};

test('whatever a worker sends: only calls of this run in their order reach the host, and nothing else comes of it', async () => {
  let heard = 0;
  let completed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const clock = createFakeClock();
      const forged = forge();
      const link = await openLink(
        forged.port,
        { protocol: PROTOCOL_VERSION, memoryBytes: SMALL_LIMITS.memoryBytes },
        clock,
        1_000,
      );
      const host = aHost(async (call) => echo(call));
      const aborting = new AbortController();
      const request = aRequest('', { runId: RUN, limits: SMALL_LIMITS });
      const running = driveRun(link, request, true, host, aborting.signal, {
        clock,
        slots: createSlots(1, clock),
        nextTurn: (callback) => void setTimeout(callback, 0),
      }).then((result) => ({ ...result, dead: forged.terminated }));
      await turn();
      let seq = 0;
      let ids = 0;
      for (const each of steps) {
        if (each.as === 'honest') {
          const calls = Array.from({ length: each.calls }, () => aCall(++ids));
          forged.tell(packed(aFrame({ runId: RUN, seq: ++seq, calls })));
        } else if (each.as === 'frame')
          sent(() => forged.tell(packed({ ...aFrame({ runId: RUN, seq: seq + 1 }), ...each.message })));
        else if (each.as === 'words') sent(() => forged.tell(each.message));
        else if (each.as === 'noise') sent(() => forged.say(each.message));
        else {
          const { to, ...fields } = each.message;
          sent(() => forged.say({ ...fields, id: forged.questions.get(to) ?? 'nobody' }));
        }
      }
      await turn();
      await turn();
      checkHost(host.calls, host.frames);
      expect(forged.leaked).toEqual([]);
      for (const reply of forged.replies) expect(unpackReplies(reply as Packed).runId).toBe(RUN);
      heard += host.calls.length;

      // However it stands, the run ends for the one who waits.
      aborting.abort();
      clock.advance(100);
      const { reply, reusable, dead } = await running;
      if (reply.status === 'completed') completed++;
      else expect(['cancelled', 'executor_crashed']).toContain(reply.error.code);
      if (dead) expect(reusable).toBe(false);
      link.end({ code: 'cancelled', message: 'over' });
      expect(structuredClone(reply)).toEqual(reply);
    }),
    { numRuns: 150 },
  );
  // It did reach the interesting places.
  expect(heard).toBeGreaterThan(20);
  expect(completed).toBeGreaterThan(0);
}, 60_000);

function checkHost(calls: readonly WireCall[], frames: readonly Frame[]): void {
  expect(calls.map(({ id }) => id)).toEqual(calls.map((_, index) => index + 1));
  expect(calls.length).toBeLessThanOrEqual(SMALL_LIMITS.maxCalls);
  for (const { kind, tool, input } of calls) {
    expect(['tool', 'search', 'describe', 'result']).toContain(kind);
    expect(typeof tool).toBe('string');
    expect(typeof input).toBe('string');
    expect(input.length).toBeLessThanOrEqual(SMALL_LIMITS.maxInputBytes);
  }
  expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1));
  for (const frame of frames) {
    expect(frame.runId).toBe(RUN);
    expect(structuredClone(frame)).toEqual(frame);
    expect(Object.getPrototypeOf(frame)).toBe(Object.prototype);
  }
}
