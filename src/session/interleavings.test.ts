/** Whatever happens in whatever order, a call ends once, and what nobody allowed never runs. No worker: a scripted executor. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Executor, ToolHost } from '../bridge/executor.ts';
import type { Tool } from '../catalog/tool.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { JournalLog, JournalStorage } from '../journal/storage.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import type { Decision } from '../policy/types.ts';
import type { ExecuteReply, WireCall } from '../protocol/wire.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { CodeMode, Run, Session } from './types.ts';

const DONE: ExecuteReply = {
  status: 'completed',
  value: undefined,
  warnings: [],
  notAwaited: [],
  computeMs: 0,
  peakMemoryBytes: 0,
};
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await Promise.resolve();
};

/** Storage that takes some turns to make a record durable, and fails from the `failing`th durable record on. */
function slowStorage(delay: number, failing: number): JournalStorage {
  const memory = memoryStorage();
  let records = 0;
  return {
    ...memory,
    open(id) {
      const log = memory.open(id) as JournalLog;
      return {
        ...log,
        append(events, options) {
          void log.append(events, options);
          if (!options.durable) return undefined;
          if (++records >= failing) return Promise.reject(new Error('full'));
          return turns(delay);
        },
      };
    },
  };
}

/** A program that makes its calls at once, waits for their replies, and whose worker can die. */
function scripted(calls: readonly WireCall[]) {
  let die: (reply: ExecuteReply) => void = () => {};
  const executor: Executor = {
    engine: 'scripted',
    async execute({ runId }, host: ToolHost, signal) {
      host.started({ fresh: true });
      const base = { runId, output: [], delivered: [], clock: [], computeMs: 0, memoryBytes: 0, quiescent: true };
      host.frame({ ...base, seq: 1, calls });
      const ended = new Promise<ExecuteReply>((resolve) => {
        die = resolve;
        const cancelled = { ...DONE, status: 'failed', error: { code: 'cancelled', name: 'E', message: '' } } as const;
        signal.addEventListener('abort', () => resolve(cancelled));
      });
      return Promise.race([Promise.all(calls.map((call) => host.call(call))).then(() => DONE), ended]);
    },
    analyze: () => Promise.reject(new Error('not here')),
    warmUp: async () => {},
    endSession() {},
    async [Symbol.asyncDispose]() {},
  };
  const crash = () => die({ ...DONE, status: 'failed', error: { code: 'executor_crashed', name: 'E', message: 'gone' } });
  return { executor, crash };
}

const call = (id: number, tool: string): WireCall => ({ id, kind: 'tool', tool, input: `{"n":${id}}` });

interface World {
  readonly codeMode: CodeMode;
  readonly session: Session;
  readonly run: Run;
  readonly clock: FakeClock;
  readonly crash: () => void;
  readonly tools: (over?: Partial<Tool>) => Tool[];
}

const decision = fc.oneof(
  fc.record({
    kind: fc.constant('allow' as const),
    scope: fc.constantFrom('once' as const, 'run' as const, 'session' as const),
    match: fc.constantFrom('input' as const, 'tool' as const),
  }),
  fc.record({ kind: fc.constant('allow' as const), scope: fc.constant('session' as const), input: fc.constant({ n: 9 }) }),
  fc.record({ kind: fc.constant('allow' as const), input: fc.constant({ n: 'refused' }) }),
  fc.record({ kind: fc.constant('deny' as const) }),
  fc.record({ kind: fc.constant('answer' as const), output: fc.constant(7) }),
  fc.record({ kind: fc.constant('cancelRun' as const) }),
) satisfies fc.Arbitrary<Decision>;

const step = fc.oneof(
  fc.record({ do: fc.constant('decide' as const), id: fc.integer({ min: 1, max: 3 }), decision }),
  fc.record({ do: fc.constantFrom('cancel' as const, 'crash' as const, 'dispose' as const, 'expire' as const) }),
  fc.record({ do: fc.constantFrom('redefine' as const, 'demand' as const, 'forbid' as const, 'demandByRule' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act({ codeMode, session, run, clock, crash, tools }: World, what: Step): void {
  if (what.do === 'decide') session.decide(`${run.id}:${what.id}`, what.decision).catch(() => undefined);
  else if (what.do === 'cancel') run.cancel();
  else if (what.do === 'crash') crash();
  else if (what.do === 'dispose') void session[Symbol.asyncDispose]();
  else if (what.do === 'expire') clock.advance(1_000);
  else if (what.do === 'redefine') codeMode.update({ tools: tools({ description: 'another' }) });
  else if (what.do === 'demand') codeMode.update({ tools: tools({ needsApproval: true }) });
  else if (what.do === 'forbid') codeMode.update({ policy: [{ effect: 'deny' }] });
  else codeMode.update({ policy: [{ effect: 'ask' }] });
}

const LAST: ReadonlySet<string> = new Set(['tool_call.succeeded', 'tool_call.failed', 'tool_call.cancelled']);

it('each call ends in one state, its handler runs at most once, and never without consent', async () => {
  const scenario = fc.record({
    steps: fc.array(fc.tuple(fc.nat(12), step), { minLength: 1, maxLength: 6 }),
    work: fc.nat(8),
    checking: fc.nat(8),
    stop: fc.boolean(),
    fails: fc.boolean(),
    writing: fc.nat(6),
    failing: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ steps, work, checking, stop, fails, writing, failing }) => {
      const started: string[] = [];
      const { executor, crash } = scripted([call(1, 'ask'), call(2, 'free'), call(3, 'ask')]);
      const clock = createFakeClock();
      let demanded = false;
      const demandedAtStart = new Set<string>();
      const tool = (name: string, over: Partial<Tool>): Tool => ({
        name,
        risk: 'write',
        inputSchema: {
          '~standard': {
            version: 1,
            vendor: 'test',
            validate: async (value: unknown) => {
              await turns(checking);
              return typeof (value as { n: unknown }).n === 'number' ? { value } : { issues: [{ message: 'no number' }] };
            },
          },
        },
        execute: async (_input, { callId, signal }) => {
          // The state at this moment decides what may run; the journal is what everybody else sees.
          const events = session.journal.events.filter((event) => (event.data as { callId?: string }).callId === callId);
          const over = events.some((event) => LAST.has(event.type)) || signal.aborted;
          const allowed = events.some(
            (event) =>
              (event.type === 'approval.decided' && event.data.decision === 'allow') ||
              (event.type === 'policy.evaluated' && event.data.by === 'grant'),
          );
          if (over) throw Object.assign(new Error('ran after its end'), { bad: started.push(`${callId} late`) });
          const mustAsk = name === 'ask' || demandedAtStart.has(callId);
          started.push(mustAsk && !allowed ? `${callId} unapproved` : callId);
          await turns(work);
          if (fails && name === 'free') throw new Error('failed');
          return 1;
        },
        ...over,
      });
      const tools = (over: Partial<Tool> = {}): Tool[] => [tool('ask', { needsApproval: true, ...over }), tool('free', over)];
      const codeMode: CodeMode = createCodeMode({
        tools: tools(),
        executor,
        clock,
        ...(writing > 0 && { storage: slowStorage(writing, failing ?? Number.POSITIVE_INFINITY) }),
        approvalTimeoutMs: 500,
        onToolFailure: stop ? 'stop' : 'throw',
      });
      const session: Session = codeMode.session();
      session.journal.subscribe(({ type, data }) => {
        if (type === 'tool_call.started' && demanded) demandedAtStart.add(data.callId);
      });
      const run = session.run('scripted');
      const world: World = { codeMode, session, run, clock, crash, tools };
      for (const [after, what] of steps) {
        await turns(after);
        if (what.do === 'demand' || what.do === 'demandByRule') demanded = true;
        act(world, what);
      }
      await turns(200);
      clock.advance(1_000);
      await turns(200);
      clock.advance(100_000);
      const outcome = await run.outcome;
      const length = session.journal.events.length;
      await turns(100);
      expect(started.filter((id) => id.includes(' '))).toEqual([]);
      expect(new Set(started).size).toBe(started.length);
      for (const { callId, status } of outcome.calls) {
        expect(['succeeded', 'failed', 'cancelled', 'denied']).toContain(status);
        const last = session.journal.events.filter(
          (event) => LAST.has(event.type) && (event.data as { callId: string }).callId === callId,
        );
        // A denied call needs none; it may have one when the denial ended the run.
        expect(last.length).toBeLessThanOrEqual(1);
        if (status !== 'denied') expect(last.length).toBe(1);
      }
      expect(afterTheEnd(session.journal.events.slice(0, length), run.id)).toEqual([]);
      await codeMode[Symbol.asyncDispose]();
    }),
    { numRuns: 400 },
  );
}, 60_000);

/** Types of what was recorded for the run after its last fact. */
function afterTheEnd(events: readonly JournalEvent[], runId: string): string[] {
  const end = events.findIndex((event) => event.runId === runId && /^run\.(completed|failed|cancelled)$/.test(event.type));
  return events
    .slice(end + 1)
    .filter((event) => event.runId === runId)
    .map((event) => event.type);
}
