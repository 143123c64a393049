/**
 * A session without programs, for tests of views: facts go in as journal events, through the real reducer and store.
 * Decisions are recorded and turned into the events the real session would write.
 */
import { type EventData, type EventType, JOURNAL_VERSION, type JournalEvent, type StoredValue } from '../../journal/events.ts';
import { GrantBook, wordsOf } from '../../policy/grants.ts';
import type { Decision, DecisionReceipt, GrantPreview, PlanDecision } from '../../policy/types.ts';
import type { EncodedText } from '../../protocol/wire.ts';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import type { Session, SessionGrants, ToolFacts, UndoOutcome, UndoPlan } from '../../session/types.ts';
import { createSessionStore } from '../../store/create-store.ts';
import { callById } from '../../store/calls.ts';
import type { SessionState } from '../../store/state.ts';

export interface RequestOptions {
  readonly title?: string;
  readonly risk?: 'read' | 'write' | 'danger';
  readonly group?: number;
  readonly line?: number;
  readonly intent?: string;
  /** Call of an earlier run that it takes back. */
  readonly undoes?: string;
}

export interface AskOptions {
  readonly question?: string;
  readonly risk?: 'read' | 'write' | 'danger';
  readonly reason?: string;
  readonly expiresAt?: number;
  readonly doubt?: true;
}

export interface TestKit {
  readonly session: Session;
  /** Every decision that arrived, first to last. */
  readonly decisions: { readonly callId: string; readonly decision: Decision }[];
  /** The same for programs as a whole. */
  readonly planDecisions: { readonly runId: string; readonly decision: PlanDecision }[];
  /** Whether the application stores permissions. @default false */
  canStore: boolean;
  /** What `undoable` says, and which undos were asked for. */
  undoPlan: UndoPlan;
  readonly undos: string[];
  ownership(ownership: SessionState['ownership']): void;
  /** Answer of the next decision, instead of applying it. */
  refuse(receipt: DecisionReceipt): void;
  facts(tool: string, facts: ToolFacts): void;
  /** Flushes once, after all of it. */
  batch(events: () => void): void;
  /** Lets time pass for the events that follow, ms. */
  pass(ms: number): void;
  emit<T extends EventType>(type: T, data: EventData[T], runId?: string): void;
  run(source: string, options?: { readonly id?: string; readonly title?: string }): string;
  /** A run that waits as a whole before it starts. */
  plan(source: string, data: Omit<EventData['plan.requested'], 'sourceDigest'>, options?: { readonly title?: string }): string;
  request(runId: string, tool: string, input: unknown, options?: RequestOptions): string;
  start(callId: string): void;
  progress(callId: string, done: number, total: number, message?: string): void;
  succeed(callId: string, output: unknown): void;
  fail(callId: string, message: string): void;
  ask(callId: string, options?: AskOptions): void;
  log(runId: string, text: string, level?: 'log' | 'warn' | 'error', line?: number): void;
  complete(runId: string, value?: unknown): void;
  failRun(runId: string, message: string, line?: number): void;
  cancelRun(runId: string, reason?: string): void;
  stats(runId: string, computeMs: number, peakMemoryBytes: number): void;
}

/** The stored form of a JSON value. */
export const inline = (value: unknown): StoredValue => ({ inline: JSON.stringify(value) ?? 'null' });

const NO_STATS = { computeMs: 3, peakMemoryBytes: 2_000_000, calls: 0, transferBytes: 0 };

/** @param startAt epoch ms of the first event @default now */
export function createTestKit(startAt: number = Date.now()): TestKit {
  const { store, push, flush, setStats, setOwnership } = createSessionStore('test', [], () => {});
  const events: JournalEvent[] = [];
  let time = startAt;
  let seq = 0;
  let ids = 0;
  let batching = false;
  let refusal: DecisionReceipt | undefined;
  const tools = new Map<string, ToolFacts>();
  const decisions: TestKit['decisions'] = [];
  const planDecisions: TestKit['planDecisions'] = [];
  const state = () => store.getState();
  const callOf = (id: string) => callById(state(), id)!;

  const emit: TestKit['emit'] = (type, data, runId) => {
    const event = { v: JOURNAL_VERSION, seq: (seq += 1), time, sessionId: 'test', runId, type, data } as JournalEvent;
    events.push(event);
    push(event);
    if (!batching) flush();
  };
  const started = (id: string): void =>
    emit(
      'run.started',
      {
        seed: [1, 2, 3, 4],
        locale: 'en',
        timeZone: 'UTC',
        engine: 'test',
        protocol: 1,
        catalogVersion: '1',
        limits: DEFAULT_LIMITS,
        state: 'run',
        fresh: true,
      },
      id,
    );

  const onCall = <T extends EventType>(type: T, callId: string, data: EventData[T]): void =>
    emit(type, data, callOf(callId).runId);
  const close = (runId: string): void => {
    for (const { id } of state().runs[runId]!.calls)
      if (callOf(id).endedAt === undefined) onCall('tool_call.cancelled', id, { callId: id, reason: 'the run ended' });
  };

  const book = new GrantBook();
  const granted = (id: string) => {
    const { tool, runId, approval } = callOf(id);
    const text = (approval && 'inline' in approval.input ? approval.input.inline : 'null') as EncodedText;
    return { tool, runId, definitionHash: 'hash', risk: approval?.risk ?? 'write', input: text };
  };
  const grants: SessionGrants = {
    get list() {
      return state().grants;
    },
    get canStore() {
      return kit.canStore;
    },
    preview(callId, { scope, match = typeof scope === 'object' ? 'input' : 'tool' }): GrantPreview {
      const call = granted(callId);
      if (scope === 'once') return { ok: true, words: `${call.tool}, this call`, alsoAllows: [] };
      const words = wordsOf(call, { scope, match });
      if (call.risk === 'danger' || callOf(callId).undoes !== undefined || typeof words !== 'string')
        return { ok: false, issues: [{ path: [], message: typeof words === 'string' ? 'not coverable' : words.message }] };
      const trial = new GrantBook();
      trial.add(call, { scope, match });
      return { ok: true, words, alsoAllows: state().pending.filter((id) => id !== callId && trial.use(granted(id))) };
    },
    suggestRule: () => undefined,
    async revoke(grantId) {
      emit('grant.revoked', { grantId, why: 'person' });
      return true;
    },
    async refresh() {},
  };
  /** What the session does with a permission: it is recorded, and the calls that wait and are covered go. */
  const remember = (callId: string, { scope = 'once', match }: Extract<Decision, { kind: 'allow' }>): DecisionReceipt => {
    if (scope === 'once') return { applied: true };
    const extent = { scope, match: match ?? (typeof scope === 'object' ? 'input' : 'tool') } as const;
    const grant = book.add(granted(callId), extent)!;
    const { id: grantId, tool, definitionHash, words } = grant;
    emit('grant.created', { grantId, tool, definitionHash, ...extent, words, callId }, callOf(callId).runId);
    for (const id of state().pending)
      if (book.use(granted(id))) {
        onCall('approval.decided', id, { callId: id, decision: 'allow', grantId });
        kit.start(id);
      }
    return { applied: true, grant: { id: grantId, words } };
  };

  const decide = async (callId: string, decision: Decision): Promise<DecisionReceipt> => {
    decisions.push({ callId, decision });
    const receipt =
      refusal ?? (state().pending.includes(callId) ? ({ applied: true } as const) : ({ applied: false, why: 'ended' } as const));
    refusal = undefined;
    if (!receipt.applied) return receipt;
    if (decision.kind === 'cancelRun') {
      onCall('approval.decided', callId, { callId, decision: 'cancel_run' });
      kit.cancelRun(callOf(callId).runId, 'stopped by a person');
    } else if (decision.kind === 'deny')
      onCall('approval.decided', callId, { callId, decision: 'deny', reason: decision.reason });
    else {
      const changed = decision.kind === 'allow' && decision.input !== undefined ? { input: inline(decision.input) } : {};
      onCall('approval.decided', callId, { callId, decision: decision.kind, ...changed });
      kit.start(callId);
      if (decision.kind === 'allow') return remember(callId, decision);
    }
    return receipt;
  };

  const decidePlan = async (runId: string, decision: PlanDecision): Promise<DecisionReceipt> => {
    planDecisions.push({ runId, decision });
    if (!state().pendingPlans.includes(runId)) return { applied: false, why: 'ended' };
    const words = { allow: 'allow', callByCall: 'call_by_call', deny: 'deny' } as const;
    emit('plan.decided', { decision: words[decision.kind] }, runId);
    if (decision.kind === 'deny') kit.cancelRun(runId, 'a person did not allow the program');
    return { applied: true };
  };

  const session = {
    id: 'test',
    store,
    decide,
    decidePlan,
    grants,
    undoable: () => kit.undoPlan,
    async undo(runId: string): Promise<UndoOutcome> {
      kit.undos.push(runId);
      return { status: 'undone', undone: kit.undoPlan.calls.map(({ callId }) => callId), failed: [], stays: [] };
    },
    journal: {
      events,
      load: (stored: StoredValue) => ('inline' in stored ? stored.inline : stored.preview),
      subscribe: () => () => {},
    },
    readValue: async (stored: StoredValue) => ('inline' in stored ? (JSON.parse(stored.inline) as unknown) : stored.preview),
    tool: (name: string) => tools.get(name),
  } as unknown as Session;

  const kit: TestKit = {
    session,
    decisions,
    planDecisions,
    canStore: false,
    undoPlan: { calls: [], stays: [] },
    undos: [],
    ownership: setOwnership,
    refuse: (receipt) => void (refusal = receipt),
    facts: (tool, facts) => void tools.set(tool, facts),
    batch(events) {
      batching = true;
      events();
      batching = false;
      flush();
    },
    pass: (ms) => void (time += ms),
    emit,
    run(source, { id = `run-${(ids += 1)}`, title } = {}) {
      emit('run.queued', { source, title }, id);
      started(id);
      return id;
    },
    plan(source, data, { title } = {}) {
      const id = `run-${(ids += 1)}`;
      emit('run.queued', { source, title }, id);
      started(id);
      emit('plan.requested', { sourceDigest: `digest of ${source}`, ...data }, id);
      return id;
    },
    request(runId, tool, input, { title, risk = 'write', group, line, intent, undoes } = {}) {
      const ordinal = state().runs[runId]!.calls.length + 1;
      const id = `${runId}:${ordinal}`;
      emit(
        'tool_call.requested',
        {
          callId: id,
          ordinal,
          tool,
          title,
          risk,
          input: inline(input),
          inputBytes: JSON.stringify(input).length,
          intent,
          ...(undoes !== undefined && { undoes }),
          group: group ?? 1_000 + ordinal,
          ...(line !== undefined && { site: { line, column: 1 } }),
        },
        runId,
      );
      return id;
    },
    start: (id) => onCall('tool_call.started', id, { callId: id }),
    progress: (id, done, total, message) => onCall('tool_call.progressed', id, { callId: id, done, total, message }),
    succeed: (id, output) =>
      onCall('tool_call.succeeded', id, { callId: id, output: inline(output), outputBytes: JSON.stringify(output).length }),
    fail: (id, message) =>
      onCall('tool_call.failed', id, { callId: id, error: { code: 'tool_error', name: 'ToolError', message }, phase: 'handler' }),
    ask(id, { question, risk = 'write', reason, expiresAt, doubt } = {}) {
      const call = callOf(id);
      const text = 'inline' in call.input ? call.input.inline : call.input.ref;
      onCall('approval.requested', id, {
        callId: id,
        question: question ?? `Run ${call.tool}?`,
        risk,
        input: call.input,
        inputDigest: `digest of ${text}`,
        reason,
        expiresAt,
        ...(doubt && { doubt }),
      });
      emit('run.waiting', { callIds: [id] }, call.runId);
    },
    log: (runId, text, level = 'log', line) =>
      emit('output.written', { level, text, ...(line !== undefined && { site: { line, column: 1 } }) }, runId),
    complete(runId, value) {
      close(runId);
      emit(
        'run.completed',
        { ...(value !== undefined && { value: inline(value) }), warnings: [], notAwaited: [], stats: NO_STATS },
        runId,
      );
    },
    failRun(runId, message, line) {
      close(runId);
      const site = line === undefined ? {} : { site: { line, column: 1 } };
      emit(
        'run.failed',
        { error: { code: 'program_error', name: 'TypeError', message, ...site }, warnings: [], stats: NO_STATS },
        runId,
      );
    },
    cancelRun(runId, reason) {
      close(runId);
      emit('run.cancelled', { reason, warnings: [], stats: NO_STATS }, runId);
    },
    stats(runId, computeMs, peakMemoryBytes) {
      setStats(runId, { computeMs, peakMemoryBytes, calls: 0, transferBytes: 0 });
      flush();
    },
  };
  return kit;
}
