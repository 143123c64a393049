/**
 * One program on one worker, seen from the page: when it computes, which replies are on their way, how it ends.
 *
 * A worker holds a computing slot and is charged time from the moment something is handed to it until a quiescent frame
 * shows that everything handed over has been delivered. Replies that are ready in one turn leave as one message.
 *
 * Long, because slot, clock, deadlines and replies end together, whichever of five things ends the run.
 */
import type { Clock } from '../protocol/clock.ts';
import type { ExecuteReply, ExecuteRequest, Frame, RunEnd, WireCall, WireReply } from '../protocol/wire.ts';
import { type ComputeClock, createComputeClock } from './compute-clock.ts';
import type { ToolHost } from './executor.ts';
import { failedReply, type Spent } from './failed-reply.ts';
import type { Slots } from './slots.ts';
import type { WorkerLink } from './worker-link.ts';
import type { WorkerFault } from './worker-port.ts';

/** The worker stops an ordinary program itself; what ignores it (native loops) is ended so much later. Milliseconds. */
export const OVERTIME_MS = 500;
/**
 * How long a cancelled worker may take to say so before it is ended: two slices of the sandbox. What is inside of a native
 * function or a loop without end does not hear of it anyway. Milliseconds.
 */
export const CANCEL_GRACE_MS = 20;
/**
 * Text of replies that the worker has and has not delivered yet, UTF-16 units. More waits here: each would be held three
 * times more, as a message, in the worker's queue and in its engine.
 */
export const MAX_IN_FLIGHT_CHARS: number = 16 * 1024 * 1024;
/** The end of a run may overtake its last frames; they are waited for so long. Milliseconds. */
const LAST_FRAMES_MS = 2_000;

export interface RunDependencies {
  readonly clock: Clock;
  readonly slots: Slots;
  nextTurn(callback: () => void): void;
}

export interface DriveResult {
  readonly reply: ExecuteReply;
  /** The worker may serve the same session again. */
  readonly reusable: boolean;
}

/** Runs `request` on `link`. Resolves with data, whatever happens; afterwards nothing of the run is left behind. */
export function driveRun(
  link: WorkerLink,
  request: ExecuteRequest,
  fresh: boolean,
  host: ToolHost,
  signal: AbortSignal,
  dependencies: RunDependencies,
): Promise<DriveResult> {
  return new Promise((resolve) => new RunDriver(link, request, fresh, host, signal, dependencies, resolve).start());
}

class RunDriver {
  readonly #link: WorkerLink;
  readonly #request: ExecuteRequest;
  readonly #fresh: boolean;
  readonly #host: ToolHost;
  readonly #signal: AbortSignal;
  readonly #with: RunDependencies;
  readonly #resolve: (result: DriveResult) => void;
  readonly #watch: ComputeClock;
  readonly #ready: WireReply[] = [];
  /** Replies the worker has, or will have, that no frame has shown as delivered; and how long each is. */
  readonly #undelivered = new Map<number, number>();
  #inFlight = 0;
  /** Calls the host has not answered yet. */
  #open = 0;
  #flushPlanned = false;
  #computing = false;
  #giveSlotBack: (() => void) | undefined;
  #cancelNextTimer: () => void = () => {};
  #cancelDeadline: () => void = () => {};
  #forgetDown: () => void = () => {};
  #posted = false;
  #end: RunEnd | undefined;
  #ended = false;
  #computeMs = 0;
  #peakMemoryBytes = 0;

  constructor(
    link: WorkerLink,
    request: ExecuteRequest,
    fresh: boolean,
    host: ToolHost,
    signal: AbortSignal,
    dependencies: RunDependencies,
    resolve: (result: DriveResult) => void,
  ) {
    this.#link = link;
    this.#request = request;
    this.#fresh = fresh;
    this.#host = host;
    this.#signal = signal;
    this.#with = dependencies;
    this.#resolve = resolve;
    this.#watch = createComputeClock(dependencies.clock, request.limits.timeoutMs + OVERTIME_MS, () => this.#overtime());
  }

  start(): void {
    if (this.#signal.aborted) return this.#finish(failedReply(CANCELLED), true);
    this.#signal.addEventListener('abort', this.#onAbort);
    this.#forgetDown = this.#link.onDown((fault) => this.#finish(failedReply(fault, this.#spent()), false));
    this.#compute(() => this.#post());
  }

  #post(): void {
    this.#posted = true;
    this.#guardHost(() => this.#host.started({ fresh: this.#fresh }));
    if (this.#ended) return;
    // It was stopped before anything of it ran.
    if (this.#signal.aborted) return this.#finish(failedReply(CANCELLED), true);
    this.#link.run(this.#request, { frame: (frame) => this.#onFrame(frame) }).then(
      (end) => this.#onEnd(end),
      (error: unknown) => this.#onThrown(error),
    );
  }

  // ---- computing: slot and clock go together ----

  #compute(work: () => void): void {
    if (this.#computing) return work();
    if (this.#giveSlotBack) return;
    const giveBack = this.#with.slots.request(() => {
      this.#beginComputing();
      work();
    });
    if (this.#ended) giveBack();
    else this.#giveSlotBack = giveBack;
  }

  #beginComputing(): void {
    this.#computing = true;
    this.#cancelNextTimer();
    this.#watch.start();
  }

  #rest(): void {
    this.#computing = false;
    this.#watch.stop();
    this.#giveSlotBack?.();
    this.#giveSlotBack = undefined;
  }

  /** The worker computes although nothing was handed to it: one of its own timers has fired. */
  #computesByItself(): void {
    if (this.#ended || this.#computing) return;
    this.#giveSlotBack?.();
    this.#giveSlotBack = this.#with.slots.force();
    this.#beginComputing();
    this.#flush();
  }

  // ---- frames and calls ----

  #onFrame(frame: Frame): void {
    if (this.#ended) return;
    this.#computeMs = frame.computeMs;
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes, frame.memoryBytes);
    for (const { kind, id } of frame.delivered) if (kind === 'call') this.#delivered(id);
    if (!frame.quiescent) this.#computesByItself();
    else if (this.#undelivered.size === 0) this.#rests(frame.nextTimerMs);
    if (this.#computing) this.#flush();
    this.#watch.believe(frame.computeMs);
    this.#guardHost(() => this.#host.frame(frame));
    if (!this.#signal.aborted) for (const call of frame.calls) this.#ask(call);
    if (this.#end && this.#link.frames >= this.#end.frames) this.#finish(this.#end.reply, !this.#end.spent);
  }

  #rests(nextTimerMs: number | undefined): void {
    // The end of a run is quiescent too; its slot goes back with the reply.
    this.#rest();
    this.#cancelNextTimer();
    if (nextTimerMs !== undefined) this.#cancelNextTimer = this.#with.clock.schedule(() => this.#computesByItself(), nextTimerMs);
    this.#flush();
  }

  #ask(call: WireCall): void {
    if (this.#ended || (this.#request.replay && this.#host.replayed?.(call))) return;
    this.#open++;
    const answered = (reply: WireReply): void => {
      if (this.#ended) return;
      this.#open--;
      this.#ready.push(reply);
      this.#planFlush();
    };
    try {
      this.#host.call(call).then(answered, () => answered(hostFailure(call)));
    } catch {
      answered(hostFailure(call));
    }
  }

  /** With nothing else to wait for the replies leave at once, else together with all that get ready in this turn. */
  #planFlush(): void {
    if (this.#open === 0) return this.#flush();
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    this.#with.nextTurn(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#ended || this.#ready.length === 0) return;
    this.#compute(() => {
      const replies = this.#ended ? [] : this.#takeReady();
      if (replies.length > 0) this.#link.settle(this.#request.runId, replies);
    });
  }

  /** As many as may be on their way together, at least one. */
  #takeReady(): WireReply[] {
    let count = 0;
    for (const reply of this.#ready) {
      const size = sizeOf(reply);
      if (this.#inFlight > 0 && this.#inFlight + size > MAX_IN_FLIGHT_CHARS) break;
      this.#inFlight += size;
      this.#undelivered.set(reply.id, size);
      count++;
    }
    return this.#ready.splice(0, count);
  }

  #delivered(call: number): void {
    this.#inFlight -= this.#undelivered.get(call) ?? 0;
    this.#undelivered.delete(call);
  }

  // ---- ends ----

  readonly #onAbort = (): void => {
    if (!this.#posted) return this.#finish(failedReply(CANCELLED), true);
    this.#link.cancel(this.#request.runId);
    this.#cancelDeadline();
    this.#cancelDeadline = this.#with.clock.schedule(() => this.#link.end(CANCELLED), CANCEL_GRACE_MS);
  };

  #overtime(): void {
    const { timeoutMs } = this.#request.limits;
    this.#link.end({
      code: 'timeout',
      message: `The program computed for more than ${timeoutMs} ms (limits.timeoutMs) and did not stop when it was told to, so its worker was ended. Time spent waiting for tools does not count. Do less work per step.`,
      data: { limit: 'timeoutMs', value: timeoutMs },
    });
  }

  #onEnd(end: RunEnd): void {
    if (this.#ended) return;
    if (this.#link.frames >= end.frames) return this.#finish(end.reply, !end.spent);
    this.#end = end;
    this.#cancelDeadline();
    this.#cancelDeadline = this.#with.clock.schedule(() => this.#link.end(LOST_FRAMES), LAST_FRAMES_MS);
  }

  /** The worker answered with an exception; when it died, `onDown` has been called already. */
  #onThrown(error: unknown): void {
    this.#link.end({
      code: 'executor_crashed',
      message: `The worker failed while it ran the program: ${error instanceof Error ? error.message : 'unknown reason'}. The next run gets a new worker.`,
    });
  }

  #finish(reply: ExecuteReply, reusable: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#rest();
    this.#watch.close();
    this.#cancelNextTimer();
    this.#cancelDeadline();
    this.#forgetDown();
    this.#signal.removeEventListener('abort', this.#onAbort);
    const cancelled = this.#signal.aborted && (reply.status === 'completed' || reply.error.code !== 'cancelled');
    this.#resolve({
      reply: cancelled ? failedReply(CANCELLED, reply) : reply,
      reusable: reusable && this.#link.fault === undefined,
    });
  }

  #spent(): Spent {
    return { computeMs: Math.max(this.#computeMs, this.#watch.charged), peakMemoryBytes: this.#peakMemoryBytes };
  }

  /** A host that throws has lost its books: the run cannot go on, and it is not the program's fault. */
  #guardHost(step: () => void): void {
    try {
      step();
    } catch {
      this.#link.end(HOST_FAILED);
    }
  }
}

const CANCELLED: WorkerFault = { code: 'cancelled', message: 'The run was cancelled.' };

const LOST_FRAMES: WorkerFault = {
  code: 'executor_crashed',
  message:
    'The worker reported the end of the program but not all that came before it, and was ended. The next run gets a new worker.',
};

const HOST_FAILED: WorkerFault = {
  code: 'interrupted',
  message:
    'The application failed while it recorded what the program did, so the program was stopped. Calls that had started may have taken effect.',
};

function sizeOf(reply: WireReply): number {
  return reply.ok ? reply.value.length : reply.error.message.length + (reply.error.data?.length ?? 0);
}

function hostFailure(call: WireCall): WireReply {
  return {
    id: call.id,
    ok: false,
    error: {
      code: 'tool_error',
      name: 'ToolError',
      message: 'The application failed while it handled this call; it may have taken effect.',
    },
  };
}
