/** What a journal says about one run, as far as bringing it back to where it was needs it. Pure. */
import type { CallKind, ClockReads, Delivery, SourcePosition, WireError } from '../protocol/wire.ts';
import type { CallError, EventData, EventOf, JournalEvent, StoredValue } from './events.ts';
import { RunTime } from './run-time.ts';

/** How a call ended. A call that was cancelled never gets a reply. */
export type RecordedEnd =
  | { readonly kind: 'value'; readonly output: StoredValue; readonly bytes: number }
  | { readonly kind: 'error'; readonly error: CallError }
  /** Of a question: as it crossed. */
  | { readonly kind: 'refusal'; readonly error: WireError }
  | { readonly kind: 'cancelled'; readonly reason: string };

/** One call, and the step that its facts have come to: later steps replace earlier ones. */
export interface RecordedCall {
  readonly ordinal: number;
  readonly kind: Exclude<CallKind, 'preflight'>;
  /** Empty for a question. */
  readonly tool: string;
  readonly input: StoredValue;
  readonly inputBytes: number;
  readonly site?: SourcePosition;
  readonly intent?: string;
  readonly policy?: EventData['policy.evaluated'];
  /** The open question, or the one that `decision` or `expired` answers; absent once the call started. */
  readonly approval?: EventData['approval.requested'];
  readonly decision?: EventData['approval.decided'];
  readonly expired?: true;
  /** The last start. */
  readonly started?: EventData['tool_call.started'];
  /** It started, and its result comes later. */
  readonly token?: string;
  /** It is recorded that nobody knows what became of it. */
  readonly interrupted?: true;
  readonly end?: RecordedEnd;
}

export interface RunRecording {
  readonly runId: string;
  readonly queued: EventData['run.queued'];
  /** Absent: nothing of it ran. */
  readonly started?: EventData['run.started'];
  readonly plan?: { readonly requested: EventData['plan.requested']; readonly decided?: EventData['plan.decided'] };
  /** By ordinal, in the order of the journal. */
  readonly calls: ReadonlyMap<number, RecordedCall>;
  /** Highest group of calls. */
  readonly lastGroup: number;
  readonly deliveries: readonly Delivery[];
  readonly clock: ClockReads;
  /** Console lines and emitted values. */
  readonly outputs: number;
  /** It is no program: it takes calls of another run back. */
  readonly undoes: boolean;
  /** The page that ran it was gone, and that is recorded. */
  readonly interrupted: boolean;
  /** It is recorded that it waits. */
  readonly waiting: boolean;
  /** What it has used of `maxDurationMs`. */
  readonly ranMs: number;
}

/** @returns nothing for a run that is not in the journal */
export function recordingOf(events: readonly JournalEvent[], runId: string): RunRecording | undefined {
  const fold = new Fold(runId);
  for (const event of events) if (event.runId === runId) fold.add(event);
  return fold.recording();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

class Fold {
  readonly #runId: string;
  readonly #calls = new Map<number, Mutable<RecordedCall>>();
  #queued: EventData['run.queued'] | undefined;
  #started: EventData['run.started'] | undefined;
  #plan: Mutable<NonNullable<RunRecording['plan']>> | undefined;
  #lastGroup = 0;
  readonly #deliveries: Delivery[] = [];
  readonly #clock: (readonly [ms: number, times: number])[] = [];
  #outputs = 0;
  #undoes = false;
  #interrupted = false;
  #waiting = false;
  readonly #time = new RunTime();

  constructor(runId: string) {
    this.#runId = runId;
  }

  recording(): RunRecording | undefined {
    return (
      this.#queued && {
        runId: this.#runId,
        queued: this.#queued,
        ...(this.#started && { started: this.#started }),
        ...(this.#plan && { plan: this.#plan }),
        calls: this.#calls,
        lastGroup: this.#lastGroup,
        deliveries: this.#deliveries,
        clock: this.#clock,
        outputs: this.#outputs,
        undoes: this.#undoes,
        interrupted: this.#interrupted,
        waiting: this.#waiting,
        ranMs: this.#time.ms,
      }
    );
  }

  add(event: JournalEvent): void {
    this.#time.add(event);
    switch (event.type) {
      case 'run.queued':
        this.#queued = event.data;
        return;
      case 'run.started':
        this.#started = event.data;
        this.#interrupted = this.#waiting = false;
        return;
      case 'run.waiting':
        this.#waiting = true;
        return;
      case 'run.interrupted':
        this.#interrupted = true;
        this.#waiting = false;
        return;
      case 'run.resumed':
        this.#interrupted = this.#waiting = false;
        return;
      case 'plan.requested':
        this.#plan = { requested: event.data };
        return;
      case 'plan.decided':
        if (this.#plan) this.#plan.decided = event.data;
        return;
      case 'undo.requested':
        this.#undoes = true;
        return;
      case 'output.written':
      case 'output.emitted':
        this.#outputs++;
        return;
      case 'delivery':
        for (const item of event.data.items) this.#deliveries.push(item);
        for (const read of event.data.clock) this.#clock.push(read);
        return;
      case 'question.answered':
        return this.#answered(event);
      case 'tool_call.requested':
        return this.#requested(event);
      default:
        return this.#ofCall(event);
    }
  }

  #answered({ data }: EventOf<'question.answered'>): void {
    const { ordinal, kind, input, output, error } = data;
    const end: RecordedEnd | undefined = output ? { kind: 'value', output, bytes: 0 } : error && { kind: 'refusal', error };
    this.#calls.set(ordinal, { ordinal, kind, tool: '', input, inputBytes: 0, ...(end && { end }) });
  }

  #requested({ data }: EventOf<'tool_call.requested'>): void {
    const { ordinal, tool, input, inputBytes, site, intent, group } = data;
    this.#lastGroup = Math.max(this.#lastGroup, group);
    if (this.#calls.has(ordinal)) return;
    this.#calls.set(ordinal, {
      ordinal,
      kind: 'tool',
      tool,
      input,
      inputBytes,
      ...(site && { site }),
      ...(intent !== undefined && { intent }),
    });
  }

  #ofCall(event: JournalEvent): void {
    const { callId } = event.data as { readonly callId?: string };
    const call = callId === undefined ? undefined : this.#calls.get(Number(callId.slice(callId.lastIndexOf(':') + 1)));
    if (!call || call.end) return;
    switch (event.type) {
      case 'policy.evaluated':
        call.policy = event.data;
        return;
      case 'approval.requested':
        call.approval = event.data;
        delete call.decision;
        return;
      case 'approval.decided':
        call.decision = event.data;
        return;
      case 'approval.expired':
        call.expired = true;
        return;
      case 'tool_call.started':
        call.started = event.data;
        delete call.approval;
        delete call.decision;
        delete call.interrupted;
        return;
      case 'tool_call.interrupted':
        call.interrupted = true;
        return;
      case 'tool_call.deferred':
        call.token = event.data.token;
        return;
      case 'tool_call.succeeded':
        call.end = { kind: 'value', output: event.data.output, bytes: event.data.outputBytes };
        return;
      case 'tool_call.failed':
      case 'tool_call.denied':
        call.end = { kind: 'error', error: event.data.error };
        return;
      case 'tool_call.cancelled':
        call.end = { kind: 'cancelled', reason: event.data.reason };
        return;
      default:
        return;
    }
  }
}

/** True while the call waits for a person, or for a result that is brought later. */
export function waits({ approval, decision, expired, token, end }: RecordedCall): boolean {
  if (end) return false;
  return approval ? decision === undefined && expired === undefined : token !== undefined;
}
