import type { EventOf, JournalEvent } from '../journal/events.ts';
import { Draft, type Mutable } from './draft.ts';
import { granted, used, withdrawn } from './reduce-grants.ts';
import { planDecided, planned, planOver } from './reduce-plan.ts';
import type { ApprovalView, CallStatus, CallView, RunStatus, SessionState } from './state.ts';

/** The state before the first event. */
export function emptyState(sessionId: string): SessionState {
  return {
    sessionId,
    lastSeq: 0,
    ownership: 'owner',
    removedRuns: 0,
    runs: {},
    runOrder: [],
    pending: [],
    pendingPlans: [],
    grants: [],
  };
}

/** The next state. Total: an event that does not fit (a call that is over, an unknown run) changes nothing but `lastSeq`. */
export function reduce(state: SessionState, event: JournalEvent): SessionState {
  return reduceAll(state, [event]);
}

/** `reduce` over several events, copying each touched part once. */
export function reduceAll(state: SessionState, events: readonly JournalEvent[]): SessionState {
  if (events.length === 0) return state;
  const draft = new Draft(state);
  for (const event of events) {
    apply(draft, event);
    draft.lastSeq = event.seq;
  }
  return draft.finish();
}

const FINAL_RUN: ReadonlySet<RunStatus> = new Set(['completed', 'failed', 'cancelled']);
const FINAL_CALL: ReadonlySet<CallStatus> = new Set(['succeeded', 'failed', 'denied', 'cancelled', 'replayed']);

function apply(draft: Draft, event: JournalEvent): void {
  switch (event.type) {
    case 'run.queued':
      return queued(draft, event);
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.interrupted':
      return moved(draft, event);
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return ended(draft, event);
    case 'output.written':
    case 'output.emitted':
      return written(draft, event);
    case 'tool_call.requested':
      return requested(draft, event);
    case 'policy.evaluated':
    case 'approval.requested':
    case 'approval.decided':
    case 'approval.expired':
      return judged(draft, event);
    case 'tool_call.started':
    case 'tool_call.progressed':
    case 'tool_call.deferred':
    case 'tool_call.succeeded':
    case 'tool_call.failed':
    case 'tool_call.denied':
    case 'tool_call.cancelled':
    case 'tool_call.interrupted':
    case 'tool_call.replayed':
      return worked(draft, event);
    case 'delivery':
      return delivered(draft, event);
    case 'grant.created':
      return granted(draft, event);
    case 'grant.revoked':
      return withdrawn(draft, event);
    case 'plan.requested':
      return planned(draft, event);
    case 'plan.decided':
      return planDecided(draft, event);
    case 'undo.requested':
      return undoing(draft, event);
    case 'journal.trimmed':
      return draft.removeRuns(event.data.runIds, event.data.runs);
    case 'journal.damaged':
      draft.damage = { reason: event.data.reason, lost: event.data.lost, time: event.time };
      return;
    default:
      return; // facts of the session that no view shows yet
  }
}

function queued(draft: Draft, { runId, time, data }: EventOf<'run.queued'>): void {
  if (!runId) return;
  draft.addRun({
    id: runId,
    source: data.source,
    ...(data.title !== undefined && { title: data.title }),
    ...(data.waitsFor !== undefined && { waitsFor: data.waitsFor }),
    ...(data.retries && { retries: data.retries }),
    status: 'queued',
    items: [],
    calls: [],
    warnings: [],
    queuedAt: time,
  });
}

function moved(draft: Draft, event: EventOf<'run.started' | 'run.waiting' | 'run.resumed' | 'run.interrupted'>): void {
  const known = draft.peekRun(event.runId);
  if (!known || FINAL_RUN.has(known.status)) return;
  const run = draft.run(event.runId);
  if (!run) return;
  if (event.type === 'run.started') {
    const { timeoutMs, memoryBytes, maxCalls } = event.data.limits;
    run.startedAt = event.time;
    run.limits = { timeoutMs, memoryBytes, maxCalls };
    delete run.waitsFor;
  }
  if (event.type === 'run.interrupted') delete run.waitsFor;
  run.status = MOVES[event.type];
}

const MOVES = {
  'run.started': 'running',
  'run.waiting': 'waiting',
  'run.resumed': 'running',
  'run.interrupted': 'interrupted',
} as const satisfies Record<string, RunStatus>;

function ended(draft: Draft, event: EventOf<'run.completed' | 'run.failed' | 'run.cancelled'>): void {
  const known = draft.peekRun(event.runId);
  if (!known || FINAL_RUN.has(known.status)) return;
  const run = draft.run(event.runId);
  if (!run) return;
  run.endedAt = event.time;
  planOver(draft, run, event.time);
  run.warnings = event.data.warnings;
  run.stats = event.data.stats;
  delete run.waitsFor;
  if (event.type === 'run.completed') {
    run.status = 'completed';
    if (event.data.value) run.value = event.data.value;
  } else if (event.type === 'run.failed') {
    run.status = 'failed';
    run.error = event.data.error;
  } else {
    run.status = 'cancelled';
    if (event.data.reason !== undefined) run.cancelReason = event.data.reason;
  }
}

function undoing(draft: Draft, { runId, data }: EventOf<'undo.requested'>): void {
  const run = draft.run(runId);
  if (run) run.undoes = data.of;
}

function written(draft: Draft, event: EventOf<'output.written' | 'output.emitted'>): void {
  const run = draft.run(event.runId);
  if (!run) return;
  const { time, seq, data } = event;
  if (event.type === 'output.written') run.items.push({ kind: 'console', ...event.data, time, seq });
  else run.items.push({ kind: 'emit', ...(data as EventOf<'output.emitted'>['data']), time, seq });
}

function requested(draft: Draft, { runId, time, data }: EventOf<'tool_call.requested'>): void {
  const run = draft.run(runId);
  if (!run || !runId) return;
  // Ordinals rise: what comes again or too late is no request of this run.
  if ((run.calls.at(-1)?.ordinal ?? 0) >= data.ordinal) return;
  const call: Mutable<CallView> = {
    id: data.callId,
    runId,
    ordinal: data.ordinal,
    tool: data.tool,
    input: data.input,
    inputBytes: data.inputBytes,
    group: data.group,
    status: 'requested',
    requestedAt: time,
  };
  if (data.title !== undefined) call.title = data.title;
  if (data.risk !== undefined) call.risk = data.risk;
  if (data.site !== undefined) call.site = data.site;
  if (data.intent !== undefined) call.intent = data.intent;
  if (data.undoes !== undefined) call.undoes = data.undoes;
  draft.addCall(run, call);
}

type Judgement = EventOf<'policy.evaluated' | 'approval.requested' | 'approval.decided' | 'approval.expired'>;

function judged(draft: Draft, event: Judgement): void {
  const call = draft.call(event.data.callId);
  if (!call || FINAL_CALL.has(call.status)) return;
  switch (event.type) {
    case 'policy.evaluated': {
      const { callId: _, input, ...policy } = event.data;
      if (input) call.effectiveInput = input;
      call.policy = policy;
      used(draft, policy.grantId);
      // A hidden tool is no denial: the call fails like one of a tool that is not there.
      if (policy.effect === 'deny') deny(draft, call, event.time, policy.reason);
      return;
    }
    case 'approval.requested': {
      const { callId, ...approval } = event.data;
      call.status = 'waiting_approval';
      call.approval = { ...approval, requestedAt: event.time };
      delete call.endedAt;
      if (!draft.pending.includes(callId)) draft.pending.push(callId);
      return;
    }
    case 'approval.decided': {
      const { decision, reason, input } = event.data;
      call.approval = permitted(decided(call.approval, decision, event.time, reason), event.data);
      if (input) call.effectiveInput = input;
      draft.unqueue(call.id);
      used(draft, event.data.grantId);
      // Stopping the run denies nothing: the call is cancelled with the others.
      if (decision === 'deny') deny(draft, call, event.time, reason);
      else call.status = 'requested';
      return;
    }
    case 'approval.expired':
      call.approval = decided(call.approval, 'expired', event.time);
      deny(draft, call, event.time, 'expired');
  }
}

function deny(draft: Draft, call: Mutable<CallView>, time: number, reason = 'denied'): void {
  call.error = { code: 'tool_denied', name: 'ToolDeniedError', message: reason };
  close(draft, call, 'denied', time);
}

function decided(
  approval: ApprovalView | undefined,
  decision: NonNullable<ApprovalView['decision']>,
  at: number,
  reason?: string,
): ApprovalView | undefined {
  return approval && { ...approval, decision, decidedAt: at, ...(reason !== undefined && { decisionReason: reason }) };
}

function permitted(
  approval: ApprovalView | undefined,
  { scope, match, grantId }: EventOf<'approval.decided'>['data'],
): ApprovalView | undefined {
  if (!approval) return undefined;
  const wider = scope !== undefined && scope !== 'once' && { scope, ...(match !== undefined && { match }) };
  return { ...approval, ...wider, ...(grantId !== undefined && { grantId }) };
}

type Work = Extract<
  JournalEvent,
  {
    type: `tool_call.${'started' | 'progressed' | 'deferred' | 'succeeded' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'replayed'}`;
  }
>;

function worked(draft: Draft, event: Work): void {
  const call = draft.call(event.data.callId);
  if (!call) return;
  if (FINAL_CALL.has(call.status)) {
    // Why a check of the application failed is in its judgement; the error is the one that the program got, for the model, too.
    if (event.type === 'tool_call.denied' && event.data.error.code === 'policy_failed') call.error = event.data.error;
    return;
  }
  switch (event.type) {
    case 'tool_call.started':
      call.status = 'running';
      call.startedAt = event.time;
      if (call.endedAt !== undefined) delete call.endedAt;
      if (event.data.input) call.effectiveInput = event.data.input;
      return;
    case 'tool_call.progressed': {
      const { callId: _, ...progress } = event.data;
      call.progress = progress;
      return;
    }
    case 'tool_call.deferred':
      call.deferred = event.data.token;
      return;
    case 'tool_call.succeeded':
      call.output = event.data.output;
      call.outputBytes = event.data.outputBytes;
      if (event.data.simulated) call.simulated = true;
      takenBack(draft, call);
      return close(draft, call, 'succeeded', event.time);
    case 'tool_call.failed':
      call.error = event.data.error;
      return close(draft, call, 'failed', event.time);
    case 'tool_call.denied': // what denied it has closed it already, where that left a fact
      call.error = event.data.error;
      return close(draft, call, 'denied', event.time);
    case 'tool_call.cancelled':
      if (call.approval && !call.approval.decision) call.approval = decided(call.approval, 'ended', event.time);
      return close(draft, call, 'cancelled', event.time);
    case 'tool_call.interrupted':
      return close(draft, call, 'interrupted', event.time);
    case 'tool_call.replayed':
      return close(draft, call, 'replayed', event.time);
  }
}

/** The program got the ends of these calls: the one thing that happens to a call after its end. */
function delivered(draft: Draft, { runId, time, data }: EventOf<'delivery'>): void {
  for (const { kind, id } of data.items) {
    const call = kind === 'call' && runId !== undefined ? draft.call(`${runId}:${id}`) : undefined;
    if (call && call.endedAt !== undefined) call.deliveredAt ??= time;
  }
}

/** The call that this one took back. */
function takenBack(draft: Draft, { id, undoes, simulated }: CallView): void {
  const earlier = undoes === undefined || simulated ? undefined : draft.call(undoes);
  if (earlier) earlier.undoneBy = id;
}

function close(draft: Draft, call: Mutable<CallView>, status: CallStatus, time: number): void {
  call.status = status;
  call.endedAt = time;
  draft.unqueue(call.id);
}
