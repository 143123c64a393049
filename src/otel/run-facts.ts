/** What happened in one finished run, put together from its events: what its spans are made of. */
import type { CallError, EventData, EventOf, JournalEvent, RunError, StoredValue } from '../journal/events.ts';

export type RunEnd = EventOf<'run.completed' | 'run.failed' | 'run.cancelled'>;

/** `expired`: nobody decided in time. `unfinished`: the run was over first. */
export type CallEndStatus = 'succeeded' | 'failed' | 'denied' | 'expired' | 'cancelled' | 'interrupted' | 'unfinished';

export interface ApprovalFacts {
  readonly asked: EventOf<'approval.requested'>;
  decided?: EventOf<'approval.decided'>;
  endedAt?: number;
  expired?: boolean;
}

export interface CallFacts {
  readonly requested: EventOf<'tool_call.requested'>;
  policy?: EventData['policy.evaluated'];
  readonly approvals: ApprovalFacts[];
  /** As the handler got it, where that was not what the program sent. */
  input?: StoredValue;
  /** Of the handler, the last time. */
  startedAt?: number;
  status: CallEndStatus;
  endedAt?: number;
  error?: CallError;
  phase?: EventData['tool_call.failed']['phase'];
  output?: StoredValue;
  outputBytes?: number;
  simulated?: boolean;
  deferred?: boolean;
  /** Its page was gone while it ran. */
  interrupted?: boolean;
  /** The program was given the recorded answer again, after a reload. */
  replayed?: boolean;
}

export interface RunFacts {
  readonly queued: EventOf<'run.queued'>;
  readonly runId: string;
  started?: EventOf<'run.started'>;
  readonly calls: Map<string, CallFacts>;
  plan?: { readonly asked: EventOf<'plan.requested'>; decided?: EventOf<'plan.decided'> };
  /** Run whose calls it takes back. */
  undoes?: string;
  /** Marks on the run's own line. */
  readonly marks: { readonly name: 'started' | 'interrupted' | 'resumed'; readonly time: number }[];
  end?: RunEnd;
}

/** A run that is over. */
export type FinishedRun = RunFacts & { readonly end: RunEnd };

/** The finished runs of a log, in the order they were begun. */
export function finishedRuns(events: readonly JournalEvent[]): readonly FinishedRun[] {
  const runs = new Map<string, RunFacts>();
  for (const event of events) {
    const { runId } = event;
    if (runId === undefined) continue;
    const run = runs.get(runId);
    if (run) take(run, event);
    else if (event.type === 'run.queued') runs.set(runId, { queued: event, runId, calls: new Map(), marks: [] });
  }
  return [...runs.values()].filter(isFinished);
}

/** The facts of one run; looks back from the end, where a run that has just ended stands. */
export function eventsOfRun(events: readonly JournalEvent[], runId: string): readonly JournalEvent[] {
  const own: JournalEvent[] = [];
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at]!;
    if (event.runId !== runId) continue;
    own.push(event);
    if (event.type === 'run.queued') break;
  }
  return own.reverse();
}

export function isRunEnd(event: JournalEvent): event is RunEnd {
  return event.type === 'run.completed' || event.type === 'run.failed' || event.type === 'run.cancelled';
}

/** Why the run failed. */
export function errorOf({ end }: FinishedRun): RunError | undefined {
  return end.type === 'run.failed' ? end.data.error : undefined;
}

function isFinished(run: RunFacts): run is FinishedRun {
  return run.end !== undefined;
}

function take(run: RunFacts, event: JournalEvent): void {
  switch (event.type) {
    case 'run.started':
      run.started ??= event;
      run.marks.push({ name: 'started', time: event.time });
      return;
    case 'run.interrupted':
      run.marks.push({ name: 'interrupted', time: event.time });
      return;
    case 'run.resumed':
      // Between waits it says what the spans of approvals say already.
      if (run.marks.at(-1)?.name === 'interrupted') run.marks.push({ name: 'resumed', time: event.time });
      return;
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      run.end ??= event;
      return;
    case 'undo.requested':
      run.undoes = event.data.of;
      return;
    case 'plan.requested':
      run.plan = { asked: event };
      return;
    case 'plan.decided':
      if (run.plan) run.plan.decided = event;
      return;
    case 'tool_call.requested':
      if (!run.calls.has(event.data.callId))
        run.calls.set(event.data.callId, { requested: event, approvals: [], status: 'unfinished' });
      return;
    default:
      return takeOfCall(run.calls.get((event.data as { readonly callId?: string }).callId ?? ''), event);
  }
}

function takeOfCall(call: CallFacts | undefined, event: JournalEvent): void {
  if (!call) return;
  switch (event.type) {
    case 'policy.evaluated':
      call.policy = event.data;
      if (event.data.input) call.input = event.data.input;
      if (event.data.effect === 'deny') end(call, 'denied', event.time);
      return;
    case 'approval.requested':
      call.approvals.push({ asked: event });
      return;
    case 'approval.decided':
      return decided(call, event);
    case 'approval.expired':
      closeApproval(call, event.time, true);
      end(call, 'expired', event.time);
      return;
    case 'tool_call.started':
      call.startedAt = event.time;
      if (event.data.input) call.input = event.data.input;
      return;
    case 'tool_call.deferred':
      call.deferred = true;
      return;
    case 'tool_call.replayed':
      call.replayed = true;
      return;
    default:
      return ended(call, event);
  }
}

function decided(call: CallFacts, event: EventOf<'approval.decided'>): void {
  const approval = call.approvals.at(-1);
  if (approval && approval.endedAt === undefined) {
    approval.decided = event;
    approval.endedAt = event.time;
  }
  if (event.data.input) call.input = event.data.input;
  if (event.data.decision === 'deny') end(call, 'denied', event.time);
}

function ended(call: CallFacts, event: JournalEvent): void {
  switch (event.type) {
    case 'tool_call.succeeded':
      if (!end(call, 'succeeded', event.time)) return;
      call.output = event.data.output;
      call.outputBytes = event.data.outputBytes;
      if (event.data.simulated) call.simulated = true;
      return;
    case 'tool_call.failed':
      if (!end(call, 'failed', event.time)) return;
      call.error = event.data.error;
      call.phase = event.data.phase;
      return;
    case 'tool_call.denied':
      // What denied it has ended it already, where that left a fact; this one has the error.
      end(call, event.data.error.code === 'approval_expired' ? 'expired' : 'denied', event.time);
      call.error ??= event.data.error;
      return;
    case 'tool_call.cancelled':
      closeApproval(call, event.time);
      end(call, 'cancelled', event.time);
      return;
    case 'tool_call.interrupted':
      call.interrupted = true;
      call.status = 'interrupted';
      return;
    default:
      return;
  }
}

/** The first end counts; an interrupted call may still get one. @returns whether this was it */
function end(call: CallFacts, status: CallEndStatus, time: number): boolean {
  if (call.endedAt !== undefined) return false;
  call.status = status;
  call.endedAt = time;
  return true;
}

function closeApproval(call: CallFacts, time: number, expired = false): void {
  const approval = call.approvals.at(-1);
  if (!approval || approval.endedAt !== undefined) return;
  approval.endedAt = time;
  if (expired) approval.expired = true;
}
