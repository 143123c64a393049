/**
 * Whatever comes first: decisions, permissions given and taken back, limits, a plan, expiry, timeouts, aborts, the death of the
 * worker, the end of the session. A scheduler chooses the order of everything that waits for something outside.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Executor, ToolHost } from '../bridge/executor.ts';
import type { Tool } from '../catalog/tool.ts';
import type { EventData, JournalEvent } from '../journal/events.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import type { JournalLog, JournalStorage } from '../journal/storage.ts';
import type { Decision, GrantStore, PlanDecision, PolicyRule, StoredGrant } from '../policy/types.ts';
import type { ExecuteReply, ProgramFacts } from '../protocol/wire.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createCodeMode } from './create-code-mode.ts';
import { loadRuntime } from './load-runtime.ts';
import type { CodeMode, Session } from './types.ts';

/** One turn of something outside: a person, a server, a disk. */
type Turn = (what: string) => Promise<void>;

const IDLE = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 } as const;
/** Two rounds of parallel calls. */
const ROUNDS = [
  ['pay', 'pay', 'read'],
  ['pay', 'pay', 'pay', 'read'],
] as const;
const FACTS: ProgramFacts = {
  references: [{ tool: 'pay', site: { line: 1, column: 1 }, known: true, unconditional: true }],
  computedName: false,
  freeIdentifiers: [],
};

/** A program of two rounds; its worker may die. */
function worker(turn: Turn): { readonly executor: Executor; die(): void } {
  let die = (): void => {};
  const failed = (code: 'cancelled' | 'executor_crashed'): ExecuteReply => ({
    ...IDLE,
    status: 'failed',
    error: { code, name: 'CodeModeError', message: code },
  });
  const executor: Executor = {
    engine: 'scripted',
    async execute({ runId }, host: ToolHost, signal) {
      host.started({ fresh: true });
      const ended = new Promise<ExecuteReply>((resolve) => {
        die = () => resolve(failed('executor_crashed'));
        signal.addEventListener('abort', () => resolve(failed('cancelled')));
      });
      const frame = { runId, output: [], delivered: [], clock: [], computeMs: 0, memoryBytes: 0, quiescent: true };
      let last = 0;
      const done = (async (): Promise<ExecuteReply> => {
        for (const [seq, tools] of ROUNDS.entries()) {
          const calls = tools.map((tool) => ({ id: ++last, kind: 'tool', tool, input: `{"amount":${(last % 2) + 1}}` }) as const);
          host.frame({ ...frame, seq, calls });
          await Promise.all(calls.map((call) => host.call(call)));
        }
        return { ...IDLE, status: 'completed', value: undefined };
      })();
      return Promise.race([done, ended]);
    },
    analyze: async () => (await turn('look at the program'), FACTS),
    warmUp: async () => {},
    endSession() {},
    async [Symbol.asyncDispose]() {},
  };
  return { executor, die: () => die() };
}

function disk(turn: Turn): JournalStorage {
  const memory = memoryStorage();
  return {
    ...memory,
    open(id) {
      const log = memory.open(id) as JournalLog;
      return {
        ...log,
        append(events, options) {
          void log.append(events, options);
          return options.durable ? turn('durable') : undefined;
        },
      };
    },
  };
}

function permissionStore(turn: Turn): GrantStore {
  let kept: StoredGrant[] = [];
  return {
    load: async () => (await turn('load permissions'), kept),
    save: async (grant) => (await turn('save a permission'), void kept.push(grant)),
    remove: async (id) => (await turn('remove a permission'), void (kept = kept.filter((each) => each.id !== id))),
  };
}

const scope = fc.constantFrom('once', 'run', 'session', 'always', { next: 1 }, { next: 2 }) as fc.Arbitrary<'once'>;
const match = fc.constantFrom('input', 'tool', { rule: 'amount <= 1' }) as fc.Arbitrary<'input'>;
const decision: fc.Arbitrary<Decision> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('allow' as const), scope, match }) },
  fc.record({ kind: fc.constant('allow' as const), scope, input: fc.constant({ amount: 2 }) }),
  fc.constant<Decision>({ kind: 'allow', input: { amount: 'unfit' } }),
  fc.constant<Decision>({ kind: 'deny' }),
  fc.constant<Decision>({ kind: 'answer', output: 1 }),
  fc.constant<Decision>({ kind: 'cancelRun' }),
);
const plan = fc.constantFrom<PlanDecision>({ kind: 'allow' }, { kind: 'callByCall' }, { kind: 'deny' });
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('decide' as const), call: fc.integer({ min: 1, max: 7 }), decision }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan' as const), plan }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('revoke' as const, 'revokeAll' as const) }) },
  fc.record({ do: fc.constantFrom('cancel' as const, 'abort' as const, 'die' as const, 'dispose' as const) }),
  fc.record({
    do: fc.constantFrom('expire' as const, 'timeout' as const, 'forbid' as const, 'simulate' as const, 'hide' as const),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const LAST = new Set(['tool_call.succeeded', 'tool_call.failed', 'tool_call.denied', 'tool_call.cancelled']);
const about = (events: readonly JournalEvent[], callId: string): readonly JournalEvent[] =>
  events.filter(({ data }) => (data as { callId?: string }).callId === callId);

/** Why the call may run now: who of the people's side agreed, and has not taken it back. */
function isAgreed(events: readonly JournalEvent[], callId: string): boolean {
  const started = events.findIndex(({ type, data }) => type === 'tool_call.started' && data.callId === callId);
  const inForce = (grantId: string | undefined): boolean => {
    const taken = events.findIndex(
      ({ type, data }) => type === 'grant.revoked' && data.grantId === grantId && data.why === 'person',
    );
    return taken < 0 || taken > started;
  };
  return about(events, callId).some(
    ({ type, data }) =>
      (type === 'approval.decided' && data.decision === 'allow' && inForce(data.grantId)) ||
      (type === 'policy.evaluated' &&
        data.effect === 'allow' &&
        (data.by === 'plan' || (data.by === 'grant' && inForce(data.grantId)))),
  );
}

it('each call ends in one state, runs at most once, never unasked, and limits hold', async () => {
  await loadRuntime();
  const scenario = fc.record({
    actions: fc.array(action, { minLength: 1, maxLength: 8 }),
    limit: fc.option(fc.nat(2), { nil: undefined }),
    beyond: fc.constantFrom('ask' as const, 'deny' as const),
    planned: fc.boolean(),
    concurrent: fc.integer({ min: 1, max: 5 }),
    fails: fc.boolean(),
    stops: fc.boolean(),
    // What a patient person says to all that is left.
    rest: fc.option(fc.record({ scope, match })),
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), scenario, async (s, { actions, limit, beyond, planned, concurrent, fails, stops, rest }) => {
      const turn: Turn = s.scheduleFunction(async () => undefined);
      const { executor, die } = worker(turn);
      const clock = createFakeClock();
      const bad: string[] = [];
      const ran: string[] = [];
      const rules: PolicyRule[] =
        limit === undefined ? [] : [{ match: 'pay', effect: 'ask', max: { calls: limit, per: 'session', beyond } }];
      const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
        name,
        inputSchema: {
          '~standard': {
            version: 1,
            vendor: 'test',
            validate: async (value: unknown) => {
              await turn('validate');
              return typeof (value as { amount: unknown }).amount === 'number'
                ? { value }
                : { issues: [{ message: 'no number' }] };
            },
          },
        },
        async execute(_input, { callId, signal }) {
          const { events } = session.journal;
          const facts = about(events, callId);
          if (facts.some(({ type }) => LAST.has(type)) || signal.aborted) bad.push(`${callId} ran after its end`);
          if (ran.includes(callId)) bad.push(`${callId} ran twice`);
          if (name === 'pay' && !isAgreed(events, callId)) bad.push(`${callId} ran unasked`);
          ran.push(callId);
          await turn('work');
          if (fails || signal.aborted) throw new Error('failed');
          return 1;
        },
        ...over,
      });
      const codeMode: CodeMode = createCodeMode({
        tools: [tool('pay', { needsApproval: true }), tool('read', { risk: 'read' })],
        executor,
        clock,
        storage: disk(turn),
        grants: permissionStore(turn),
        approvalTimeoutMs: 500,
        policy: rules,
        plan: planned ? 'ask' : 'off',
        limits: { maxConcurrentCalls: concurrent },
        onToolFailure: stops ? 'stop' : 'throw',
      });
      const session: Session = codeMode.session();
      const abort = new AbortController();
      const run = session.run('program', { signal: abort.signal });
      const act = (what: Action): unknown => {
        const [grant] = session.grants.list;
        if (what.do === 'decide') {
          // Now and then too late, mostly about what waits.
          const { pending } = session.store.getState();
          return session.decide(pending[what.call % (pending.length + 1)] ?? `${run.id}:${what.call}`, what.decision);
        }
        if (what.do === 'plan') return session.decidePlan(run.id, what.plan);
        if (what.do === 'revoke') return grant && session.grants.revoke(grant.id);
        if (what.do === 'revokeAll') return Promise.all(session.grants.list.map(({ id }) => session.grants.revoke(id)));
        if (what.do === 'cancel') return run.cancel();
        if (what.do === 'abort') return abort.abort();
        if (what.do === 'die') return die();
        if (what.do === 'dispose') return session[Symbol.asyncDispose]();
        if (what.do === 'expire') return clock.advance(1_000);
        if (what.do === 'timeout') return clock.advance(61_000);
        const effect = what.do === 'forbid' ? 'deny' : what.do;
        return codeMode.update({ policy: [...rules, { match: 'pay', effect }] });
      };
      for (const each of actions) void turn(each.do).then(() => Promise.resolve(act(each)).catch((error: Error) => error));
      await drain(s);
      while (rest && (await answer(session, rest))) await drain(s);
      clock.advance(1_000);
      await drain(s);
      run.cancel();
      await drain(s);
      const outcome = await run.outcome;
      const { events } = session.journal;

      expect(bad).toEqual([]);
      for (const { callId, status } of outcome.calls) {
        expect(['succeeded', 'failed', 'cancelled', 'denied']).toContain(status);
        expect(about(events, callId).filter(({ type }) => LAST.has(type))).toHaveLength(1);
        expect(about(events, callId).filter(({ type }) => type === 'tool_call.started').length).toBeLessThanOrEqual(1);
        const count = (wanted: string): number => about(events, callId).filter(({ type }) => type === wanted).length;
        expect(count('approval.decided')).toBeLessThanOrEqual(count('approval.requested'));
      }
      if (limit !== undefined && beyond === 'deny')
        expect(ran.filter((id) => !['3', '7'].includes(id.split(':').at(-1)!)).length).toBeLessThanOrEqual(limit);
      if (limit !== undefined && beyond === 'ask') expect(overdrawn(events, limit)).toEqual([]);
      expect(session.store.getState()).toMatchObject({ pending: [], pendingPlans: [] });
      expect(session.grants.list.every(({ scope: reach }) => reach === 'session' || reach === 'always')).toBe(true);
      await codeMode[Symbol.asyncDispose]();
    }),
    { numRuns: 150 },
  );
}, 60_000);

/** Lets everything outside have its turn, in the scheduler's order, and everything inside finish between two turns. */
async function drain(s: fc.Scheduler): Promise<void> {
  for (;;) {
    await new Promise((resolve) => void setImmediate(resolve));
    if (s.count() === 0) return;
    await s.waitOne();
  }
}

/** Allows all that waits, or denies it. @returns false when nothing did */
async function answer(session: Session, how: Pick<Extract<Decision, { kind: 'allow' }>, 'scope' | 'match'>): Promise<boolean> {
  const { pending, pendingPlans } = session.store.getState();
  for (const id of pendingPlans) void session.decidePlan(id, { kind: 'allow' });
  // What a rule forbids by now cannot be allowed.
  for (const id of pending)
    void session.decide(id, { kind: 'allow', ...how }).then(async ({ applied }) => {
      if (!applied) await session.decide(id, { kind: 'deny' });
    });
  await Promise.resolve();
  return pending.length + pendingPlans.length > 0;
}

/** Calls that started beyond the limit although no person decided about that very call. */
function overdrawn(events: readonly JournalEvent[], limit: number): readonly string[] {
  const started = events.filter((event) => event.type === 'tool_call.started' && event.data.reserved !== undefined);
  return started
    .slice(limit)
    .map(({ data }) => (data as EventData['tool_call.started']).callId)
    .filter(
      (callId) => !about(events, callId).some(({ type, data }) => type === 'approval.decided' && data.grantId === undefined),
    );
}
