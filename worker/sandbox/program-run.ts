/**
 * One program from its first line to its reply: the pump.
 *
 * Deliveries are deterministic: a reply or a timer is handed over only when the job queue is empty, one at a time in order
 * of arrival, and the queue is drained before the next. Calls and output go out when the queue is empty and nothing is left
 * to deliver, or at the end of an 8 ms slice; which of the two says nothing about their order.
 *
 * Long, because the pump is one loop over one state; what it moves (frames, timers, replays, post-mortems) are files of their own.
 */
import {
  type Delivery,
  type EncodedText,
  type ExecuteReply,
  type ExecuteRequest,
  type Frame,
  PREFLIGHT_ID,
  type ProgramFailure,
  type Warning,
  type WireReply,
} from '../../src/protocol/wire.ts';
import { CALL_WIDTH, type ReportedEnd, type Settings } from '../guest/ops.ts';
import type { NormalisedProgram } from '../program/normalise.ts';
import { Autopsy } from './autopsy.ts';
import { ClockRecorder } from './clock-reads.ts';
import type { Engine } from './engine.ts';
import { createLocate, deadlockFailure } from './failure.ts';
import { Frames } from './frames.ts';
import { Gate } from './gate.ts';
import { createGuestHost } from './guest-host.ts';
import { Fifo } from './fifo.ts';
import type { Guest } from './guest.ts';
import { Meter } from './meter.ts';
import type { Value } from './realm.ts';
import { endsByItself, Replay } from './replay.ts';
import { TimerQueue } from './timer-queue.ts';
import { bounded, endWarnings, positionalWarning, truncatedWarning } from './warnings.ts';

export interface ProgramRunOptions {
  readonly engine: Engine;
  readonly guest: Guest;
  readonly request: ExecuteRequest;
  readonly program: NormalisedProgram;
  /** Facts that the page judges before anything runs. */
  readonly preflight?: EncodedText | undefined;
  readonly cancelFlag: Int32Array | undefined;
  now(): number;
  /** One turn of the event loop, so that messages get in. */
  yield(): Promise<void>;
  schedule(callback: () => void, ms: number): () => void;
  send(frame: Frame): void;
}

/** The longest time between two chances for messages to get in. */
const SLICE_MS = 8;
const MAX_BATCH = 128;

const CALL_COMPLETION = 1;
const HAS_VALUE = 2;

type Arrival = WireReply | { readonly timer: number };

export class ProgramRun {
  readonly #options: ProgramRunOptions;
  readonly #meter: Meter;
  readonly #clock: ClockRecorder;
  readonly #frames: Frames;
  readonly #gate: Gate;
  readonly #autopsy: Autopsy;
  readonly #timers: TimerQueue;
  readonly #inbox = new Fifo<Arrival>();
  /** Calls without a reply. Filled before they go out: the answer may come while they are being sent. */
  readonly #outstanding = new Set<number>();
  readonly #warnings: Warning[];
  #wake: (() => void) | undefined;
  #sliceEnd = 0;
  #batch = 32;
  #concluded = false;
  #over = false;
  /** The way back to where the program was, until it is there. */
  #replay: Replay | undefined;
  /** The program waits: nothing of it is under way in the engine. */
  #atRest = false;
  /** The engine took the source. */
  #begun = false;
  #outOfMemory = false;
  readonly #heapStart: number;

  constructor(options: ProgramRunOptions) {
    this.#options = options;
    const { engine, request, program } = options;
    this.#heapStart = engine.books?.heapBase ?? 0;
    this.#meter = new Meter({
      budgetMs: request.limits.timeoutMs,
      now: options.now,
      cancelFlag: options.cancelFlag,
    });
    this.#clock = new ClockRecorder(options.now, request.replay?.clock);
    this.#frames = new Frames({
      runId: request.runId,
      names: request.names,
      maxOutputBytes: request.limits.maxOutputBytes,
      locate: createLocate(program),
      clock: this.#clock,
      send: options.send,
    });
    this.#gate = new Gate(options.guest.realm, this.#meter);
    this.#autopsy = new Autopsy({ ...options, meter: this.#meter, gate: this.#gate, frames: this.#frames });
    this.#timers = new TimerQueue({
      now: options.now,
      schedule: options.schedule,
      due: (ids) => this.#arrive(ids.map((timer) => ({ timer }))),
    });
    this.#warnings = [...program.warnings];
    if (request.replay) {
      this.#replay = new Replay(request.replay);
      this.#timers.hold(true);
    }
  }

  /** True when the engine must not be used again. */
  get spent(): boolean {
    return this.#gate.broken || this.#outOfMemory;
  }

  /** True when the program was stopped inside a native function: only a memory image makes such a context whole again. */
  get tornNative(): boolean {
    return this.#meter.stoppedInNative;
  }

  /** True when the program ended by itself or was stopped between two steps, and nothing of it is left in the job queue. */
  get clean(): boolean {
    return !this.spent && (this.#meter.stopReason === undefined || this.#atRest) && !this.#options.guest.realm.hasJobs();
  }

  /** True when the context may not even be disposed. */
  get broken(): boolean {
    return this.#gate.broken;
  }

  settle(replies: readonly WireReply[]): void {
    this.#arrive(replies.filter((reply) => this.#outstanding.delete(reply.id)));
  }

  cancel(): void {
    this.#meter.cancel();
    this.#wakeUp();
  }

  #arrive(arrivals: readonly Arrival[]): void {
    if (this.#over || arrivals.length === 0) return;
    for (const arrival of arrivals) this.#inbox.push(arrival);
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async execute(): Promise<ExecuteReply> {
    const { engine, guest, request } = this.#options;
    guest.host = createGuestHost(request, this.#clock, this.#meter);
    let reply: ExecuteReply;
    try {
      reply = await this.#run();
    } catch (error) {
      reply = this.#failed(this.#autopsy.explain(error, this.#begun), false);
    }
    if (this.#replay?.next && endsByItself(reply.status === 'failed' ? reply.error.code : undefined))
      reply = { ...reply, status: 'failed', error: this.#replay.failure() };
    this.#over = true;
    this.#timers.clear();
    // A program may have caught it, and gone on in a worker that is at its end.
    this.#outOfMemory ||= engine.wasFull();
    guest.host = undefined;
    return reply;
  }

  async #run(): Promise<ExecuteReply> {
    const { guest, program } = this.#options;
    const { preflight } = this.#options;
    const refusal = preflight === undefined ? undefined : await this.#askFirst(preflight);
    if (refusal) return { status: 'failed', error: refusal, ...this.#facts([]) };
    this.#sliceEnd = this.#options.now() + SLICE_MS;
    this.#gate.enter(() => guest.start(this.#settings()));
    const main = this.#gate.enter(() => guest.realm.evalProgram(program.code));
    this.#begun = true;
    try {
      return await this.#pump(main);
    } finally {
      if (!this.#gate.broken) guest.realm.free(main);
    }
  }

  /** Puts the facts before the page. Nothing of the program has run, so nothing is left behind when it says no. @throws Stopped */
  async #askFirst(preflight: EncodedText): Promise<ProgramFailure | undefined> {
    this.#frames.askFirst(preflight);
    this.#outstanding.add(PREFLIGHT_ID);
    while (this.#inbox.length === 0) await this.#sleep();
    const reply = this.#inbox.shift() as WireReply;
    this.#frames.delivered({ kind: 'call', id: PREFLIGHT_ID });
    if (reply.ok) return undefined;
    this.#flush(false);
    return reply.error;
  }

  #settings(): Settings {
    const { request, program } = this.#options;
    const { limits } = request;
    return [
      request.seed,
      [limits.maxCalls, limits.maxInputBytes, limits.maxResultBytes, limits.maxDepth, limits.maxOutputBytes],
      program.freeIdentifiers.filter((name) => /^(?:tool_|external_|Tool\w*Error$|invoke_tools$)/.test(name)),
    ];
  }

  async #pump(main: Value): Promise<ExecuteReply> {
    const { guest } = this.#options;
    for (;;) {
      while (!this.#drain()) {
        const end = await this.#nextSlice();
        if (end) return end;
      }
      if (!this.#concluded && this.#conclude(main)) {
        const end = this.#collect();
        if (end) return end;
        continue;
      }
      if (this.#replay !== undefined) {
        const end = await this.#step(this.#replay);
        if (end) return end;
        continue;
      }
      if (this.#inbox.length > 0) {
        if (this.#meter.lastTime <= this.#sliceEnd) this.#deliver(guest, this.#inbox.shift()!);
        else {
          const end = await this.#nextSlice();
          if (end) return end;
        }
        continue;
      }
      const end = this.#collect();
      if (end) return end;
      if (!this.#canWake()) return this.#failed(deadlockFailure(), false);
      await this.#sleep();
    }
  }

  /** Hands over what the program got next the last time. @returns the reply when the program has ended, or goes another way */
  async #step(replay: Replay): Promise<ExecuteReply | undefined> {
    const { next } = replay;
    if (next === undefined) {
      this.#replay = undefined;
      this.#timers.hold(false);
      return undefined;
    }
    if (this.#meter.lastTime > this.#sliceEnd) return this.#nextSlice();
    const { guest } = this.#options;
    if (!this.#waitsFor(next)) {
      const end = this.#collect();
      if (end) return end;
      if (!this.#waitsFor(next)) return this.#failed(replay.failure(), false);
    }
    if (next.kind === 'timer') {
      this.#timers.remove([next.id]);
      if (!this.#gate.enter(() => guest.fire(next.id))) return this.#failed(replay.failure(), false);
    } else {
      const reply = replay.replyTo(next.id);
      if (!reply) return this.#failed(replay.failure(), false);
      this.#outstanding.delete(next.id);
      this.#gate.enter(() => guest.deliver(reply));
    }
    replay.passed();
    return undefined;
  }

  #waitsFor({ kind, id }: Delivery): boolean {
    return kind === 'call' ? this.#outstanding.has(id) : this.#timers.has(id);
  }

  /** Something can still happen: a call is under way, or a timer is. */
  #canWake(): boolean {
    return this.#outstanding.size + this.#timers.size > 0;
  }

  /** Runs jobs until there are none. @returns false when the slice ended before. @throws Stopped */
  #drain(): boolean {
    const { realm } = this.#options.guest;
    this.#gate.check();
    while (realm.hasJobs()) {
      const before = this.#meter.computeMs;
      this.#gate.enter(() => realm.runJobs(this.#batch));
      this.#gate.check();
      // A batch cannot be left: keep it well below a slice.
      const took = this.#meter.computeMs - before;
      if (took > SLICE_MS / 2) this.#batch = Math.max(1, this.#batch >> 1);
      else if (took < 1) this.#batch = Math.min(MAX_BATCH, this.#batch * 2);
      if (this.#meter.lastTime > this.#sliceEnd && realm.hasJobs()) return false;
    }
    return true;
  }

  /** Sends what there is and lets messages in. @returns the reply when the program has ended, whatever it left running */
  async #nextSlice(): Promise<ExecuteReply | undefined> {
    const end = this.#collect();
    if (end) return end;
    // In a replay everything goes out at its end, so that nothing is executed before it is known to be the same.
    if (this.#replay === undefined) this.#flush(false);
    await this.#options.yield();
    this.#gate.check();
    this.#sliceEnd = this.#options.now() + SLICE_MS;
    return undefined;
  }

  async #sleep(): Promise<void> {
    const waiting = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#flush(true);
    this.#atRest = true;
    this.#gate.check();
    await waiting;
    this.#gate.check();
    this.#atRest = false;
    this.#sliceEnd = this.#options.now() + SLICE_MS;
  }

  #deliver(guest: Guest, arrival: Arrival): void {
    if (!('timer' in arrival)) {
      this.#frames.delivered({ kind: 'call', id: arrival.id });
      return this.#gate.enter(() => guest.deliver(arrival));
    }
    if (this.#gate.enter(() => guest.fire(arrival.timer))) this.#frames.delivered({ kind: 'timer', id: arrival.timer });
  }

  /** Hands the settled result of the program to the prelude, which ends it. @returns true when it has settled */
  #conclude(main: Value): boolean {
    const { guest, program } = this.#options;
    const state = guest.realm.promiseState(main);
    if (state === 'pending') return false;
    this.#concluded = true;
    const result = guest.realm.promiseResult(main);
    try {
      if (state === 'rejected') this.#gate.enter(() => guest.fail(result));
      else
        this.#gate.enter(() =>
          guest.conclude(result, (program.callCompletion ? CALL_COMPLETION : 0) + (program.hasValue ? HAS_VALUE : 0)),
        );
    } finally {
      if (!this.#gate.broken) guest.realm.free(result);
    }
    return true;
  }

  /** Takes the guest's report. @returns the reply when the report holds the program's end */
  #collect(): ExecuteReply | undefined {
    const collected = this.#gate.enter(() => this.#options.guest.collect());
    if (!collected) return undefined;
    const [, calls, timers, cleared, positional, end] = collected.report;
    const valueAt = this.#frames.add(collected);
    // In this order: a timer may have been set and cleared since the last report.
    this.#timers.add(timers);
    this.#timers.remove(cleared);
    for (let i = 0; i < calls.length; i += CALL_WIDTH) this.#outstanding.add(calls[i] as number);
    for (let i = 0; i < positional.length; i += 2) {
      const call = positional[i] as number;
      this.#warnings.push(positionalWarning(call, positional[i + 1] as string, this.#frames.siteOf(call)));
    }
    return end && this.#ended(end, collected.body.slice(valueAt));
  }

  #ended(end: ReportedEnd, value: string): ExecuteReply {
    const ends = endWarnings(end, {
      siteOf: (call) => this.#frames.siteOf(call),
      timers: this.#timers.size,
    });
    if (end.error) return this.#failed(this.#autopsy.ofProgram(end, end.error), true);
    // The value may have taken long to encode, in one native function.
    this.#gate.check();
    this.#warnings.push(...ends.warnings);
    this.#flush(false);
    return { status: 'completed', value: (end.value ?? -1) < 0 ? undefined : value, ...this.#facts(ends.notAwaited) };
  }

  #facts(notAwaited: readonly number[]): Pick<ExecuteReply, 'warnings' | 'notAwaited' | 'computeMs' | 'peakMemoryBytes'> {
    if (this.#frames.truncated) this.#warnings.push(truncatedWarning(this.#options.request.limits.maxOutputBytes));
    return {
      warnings: bounded(this.#warnings),
      notAwaited,
      computeMs: round(this.#meter.computeMs),
      peakMemoryBytes: this.#takenBytes(),
    };
  }

  /** The program has failed: calls that did not go out never will. @param reported true when it said so itself */
  #failed(error: ProgramFailure, reported: boolean): ExecuteReply {
    if (error.code === 'memory_limit') {
      this.#outOfMemory = true;
      if (!this.#gate.broken) this.#options.engine.releaseReserve();
    }
    if (!reported) this.#autopsy.rescueOutput();
    this.#frames.dropCalls();
    this.#flush(false);
    return { status: 'failed', error, ...this.#facts([]) };
  }

  /** What the program took of the engine's memory. What it frees is not given back before its end, so this is the peak, too. */
  #takenBytes(): number {
    return (this.#options.engine.heapTop?.() ?? 0) - this.#heapStart;
  }

  #flush(quiescent: boolean): void {
    this.#frames.flush({
      computeMs: round(this.#meter.computeMs),
      memoryBytes: this.#takenBytes(),
      quiescent,
      nextTimerMs: quiescent ? this.#timers.nextMs : undefined,
    });
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
