/**
 * One program from its first line to its reply: the pump.
 *
 * Deliveries are deterministic: a reply or a timer is handed over only when the job queue is empty, one at a time in order
 * of arrival, and the queue is drained before the next. Calls and output go out when the queue is empty and nothing is left
 * to deliver, or at the end of an 8 ms slice; which of the two says nothing about their order.
 */
import type { ExecuteReply, ExecuteRequest, Frame, ProgramFailure, Warning, WireReply } from '../../src/protocol/wire.ts';
import type { NormalisedProgram } from '../program/normalise.ts';
import { CALL_WIDTH, type ReportedEnd, type ReportedError, type Settings } from '../guest/ops.ts';
import { ClockRecorder } from './clock-reads.ts';
import * as failures from './failure.ts';
import type { Engine } from './engine.ts';
import { Frames } from './frames.ts';
import type { Guest, GuestHost } from './guest.ts';
import { IntlBridge } from './intl-bridge.ts';
import { Meter } from './meter.ts';
import { listNames, resolveName } from './names.ts';
import { EngineFault, GuestThrow, type Value } from './realm.ts';
import { TimerQueue } from './timer-queue.ts';
import { answerUrl } from './url-bridge.ts';
import { endWarnings } from './warnings.ts';

export interface ProgramRunOptions {
  readonly engine: Engine;
  readonly guest: Guest;
  readonly request: ExecuteRequest;
  readonly program: NormalisedProgram;
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
  readonly #timers: TimerQueue;
  readonly #inbox: Arrival[] = [];
  /** Calls without a reply. Filled before they go out: the answer may come while they are being sent. */
  readonly #outstanding = new Set<number>();
  readonly #warnings: Warning[];
  #wake: (() => void) | undefined;
  #sliceEnd = 0;
  #batch = 32;
  #concluded = false;
  #over = false;
  /** The instance is broken: nothing may enter it again. */
  #fault: EngineFault | undefined;
  #outOfMemory = false;
  readonly #heapStart: number;

  constructor(options: ProgramRunOptions) {
    this.#options = options;
    const { engine, request, program } = options;
    this.#heapStart = engine.heapBase;
    this.#meter = new Meter({
      budgetMs: request.limits.timeoutMs,
      now: options.now,
      cancelFlag: options.cancelFlag,
    });
    this.#clock = new ClockRecorder(options.now);
    this.#frames = new Frames({
      runId: request.runId,
      names: request.names,
      maxOutputBytes: request.limits.maxOutputBytes,
      locate: (line, column) => program.toSource(line, column),
      clock: this.#clock,
      send: options.send,
    });
    this.#timers = new TimerQueue({
      now: options.now,
      schedule: options.schedule,
      due: (ids) => this.#arrive(ids.map((timer) => ({ timer }))),
    });
    this.#warnings = [...program.warnings];
  }

  /** True when the engine must not be used again. */
  get spent(): boolean {
    return this.#fault !== undefined || this.#outOfMemory;
  }

  /** True when the program was stopped inside a native function: only a memory image makes such a context whole again. */
  get tornNative(): boolean {
    return this.#meter.stoppedInNative;
  }

  /** True when nothing of this run is left in the context's job queue. */
  get clean(): boolean {
    return !this.spent && this.#meter.stopReason === undefined && !this.#options.guest.realm.hasJobs();
  }

  /** True when the context may not even be disposed. */
  get broken(): boolean {
    return this.#fault !== undefined;
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
    this.#inbox.push(...arrivals);
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async execute(): Promise<ExecuteReply> {
    const { guest } = this.#options;
    guest.host = this.#host();
    let reply: ExecuteReply;
    try {
      reply = await this.#run();
    } catch (error) {
      reply = this.#failed(this.#explain(error));
    }
    this.#over = true;
    this.#timers.clear();
    // A program may have caught it, and gone on in a worker that is at its end.
    this.#outOfMemory ||= this.#options.engine.wasFull();
    guest.host = undefined;
    return reply;
  }

  #host(): GuestHost {
    const { names, locale, timeZone } = this.#options.request;
    const intl = new IntlBridge(locale, timeZone);
    return {
      now: () => this.#clock.read(),
      name: (request) => {
        const [namespace, key] = JSON.parse(request) as [string, string];
        return JSON.stringify(resolveName(names, namespace, key));
      },
      keys: (request) => JSON.stringify(listNames(names, JSON.parse(request) as string)),
      intl: (request) => intl.answer(request),
      url: answerUrl,
      poll: () => this.#meter.poll(),
    };
  }

  async #run(): Promise<ExecuteReply> {
    const { guest, program } = this.#options;
    this.#sliceEnd = this.#options.now() + SLICE_MS;
    this.#enter(() => guest.start(this.#settings()));
    const main = this.#enter(() => guest.realm.evalProgram(program.code));
    try {
      return await this.#pump(main);
    } finally {
      if (!this.#fault) guest.realm.free(main);
    }
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
      while (!this.#drain()) await this.#nextSlice();
      if (!this.#concluded && this.#conclude(main)) {
        const end = this.#collect();
        if (end) return end;
        continue;
      }
      if (this.#inbox.length > 0) {
        if (this.#meter.lastTime > this.#sliceEnd) await this.#nextSlice();
        else this.#deliver(guest, this.#inbox.shift()!);
        continue;
      }
      const end = this.#collect();
      if (end) return end;
      if (!this.#canWake()) return this.#failed(failures.deadlockFailure());
      await this.#sleep();
    }
  }

  /** Something can still happen: a call is under way, or a timer is. */
  #canWake(): boolean {
    return this.#outstanding.size + this.#timers.size > 0;
  }

  /** Runs jobs until there are none. @returns false when the slice ended before. @throws Stopped */
  #drain(): boolean {
    const { realm } = this.#options.guest;
    this.#checkStop();
    while (realm.hasJobs()) {
      const before = this.#meter.computeMs;
      this.#enter(() => realm.runJobs(this.#batch));
      this.#checkStop();
      // A batch cannot be left: keep it well below a slice.
      const took = this.#meter.computeMs - before;
      if (took > SLICE_MS / 2) this.#batch = Math.max(1, this.#batch >> 1);
      else if (took < 1) this.#batch = Math.min(MAX_BATCH, this.#batch * 2);
      if (this.#meter.lastTime > this.#sliceEnd && realm.hasJobs()) return false;
    }
    return true;
  }

  /** Sends what there is and lets messages in. */
  async #nextSlice(): Promise<void> {
    this.#collect();
    this.#flush(false);
    await this.#options.yield();
    this.#checkStop();
    this.#sliceEnd = this.#options.now() + SLICE_MS;
  }

  async #sleep(): Promise<void> {
    const waiting = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#flush(true);
    this.#checkStop();
    await waiting;
    this.#checkStop();
    this.#sliceEnd = this.#options.now() + SLICE_MS;
  }

  #deliver(guest: Guest, arrival: Arrival): void {
    if (!('timer' in arrival)) {
      this.#frames.delivered({ kind: 'call', id: arrival.id });
      return this.#enter(() => guest.deliver(arrival));
    }
    if (this.#enter(() => guest.fire(arrival.timer))) this.#frames.delivered({ kind: 'timer', id: arrival.timer });
  }

  /** Hands the settled result of the program to the prelude, which ends it. @returns true when it has settled */
  #conclude(main: Value): boolean {
    const { guest, program } = this.#options;
    const state = guest.realm.promiseState(main);
    if (state === 'pending') return false;
    this.#concluded = true;
    const result = guest.realm.promiseResult(main);
    try {
      if (state === 'rejected') this.#enter(() => guest.fail(result));
      else
        this.#enter(() =>
          guest.conclude(result, (program.callCompletion ? CALL_COMPLETION : 0) + (program.hasValue ? HAS_VALUE : 0)),
        );
    } finally {
      if (!this.#fault) guest.realm.free(result);
    }
    return true;
  }

  /** Takes the guest's report. @returns the reply when the report holds the program's end */
  #collect(): ExecuteReply | undefined {
    const collected = this.#enter(() => this.#options.guest.collect());
    if (!collected) return undefined;
    const [, calls, timers, cleared, positional, end] = collected.report;
    const valueAt = this.#frames.add(collected);
    this.#timers.remove(cleared);
    this.#timers.add(timers);
    for (let i = 0; i < calls.length; i += CALL_WIDTH) this.#outstanding.add(calls[i] as number);
    for (let i = 0; i < positional.length; i += 2) {
      this.#warnings.push(this.#positional(positional[i] as number, positional[i + 1] as string));
    }
    return end && this.#ended(end, collected.body.slice(valueAt));
  }

  #positional(call: number, field: string): Warning {
    const site = this.#frames.siteOf(call);
    return {
      code: 'positional_argument',
      message: `Call ${call} passed a bare value; it was taken as { ${field}: … }. Tools take one object.`,
      ...(site && { site }),
      calls: [call],
    };
  }

  #ended(end: ReportedEnd, value: string): ExecuteReply {
    const ends = endWarnings(end, {
      siteOf: (call) => this.#frames.siteOf(call),
      timers: this.#timers.size,
    });
    if (end.error) {
      return this.#failed(withUnhandled(this.#programFailure(end.error), end), end);
    }
    this.#warnings.push(...ends.warnings);
    this.#flush(false);
    return { status: 'completed', value: (end.value ?? -1) < 0 ? undefined : value, ...this.#facts(ends.notAwaited) };
  }

  #programFailure(error: ReportedError): ProgramFailure {
    const { engine, program, request } = this.#options;
    const locate: failures.Locate = (line, column) => program.toSource(line, column);
    return failures.programFailure(error, { locate, names: request.names, exhausted: engine.wasFull() });
  }

  #facts(notAwaited: readonly number[]): Pick<ExecuteReply, 'warnings' | 'notAwaited' | 'computeMs' | 'peakMemoryBytes'> {
    const { maxOutputBytes } = this.#options.request.limits;
    if (this.#frames.truncated) {
      this.#warnings.push({
        code: 'output_truncated',
        message: `Console output passed ${maxOutputBytes} bytes (maxOutputBytes); the rest was dropped. Print less, or return the data.`,
      });
    }
    return { warnings: this.#warnings, notAwaited, computeMs: round(this.#meter.computeMs), peakMemoryBytes: this.#takenBytes() };
  }

  /** The program has failed: calls that did not go out never will. */
  #failed(error: ProgramFailure, end?: ReportedEnd): ExecuteReply {
    if (error.code === 'memory_limit') {
      this.#outOfMemory = true;
      this.#options.engine.releaseReserve();
    }
    if (!end) this.#rescueOutput();
    this.#frames.dropCalls();
    this.#flush(false);
    return { status: 'failed', error, ...this.#facts(end ? [...end.unlooked] : []) };
  }

  /** Reads out what the program wrote before it was stopped. Only the prelude runs. */
  #rescueOutput(): void {
    if (this.#fault) return;
    const { guest } = this.#options;
    try {
      const collected = this.#meter.grace(() => guest.collect());
      if (collected) this.#frames.add(collected);
    } catch (error) {
      if (error instanceof GuestThrow) guest.realm.free(error.thrown);
      this.#noteFault(error);
    }
  }

  #explain(error: unknown): ProgramFailure {
    if (error instanceof Stopped) return this.#stopped();
    if (error instanceof EngineFault) {
      if (error.kind === 'memory_limit') return failures.memoryFailure();
      return error.kind === 'stack_overflow' ? failures.stackFailure() : failures.crashFailure(error.message);
    }
    if (!(error instanceof GuestThrow)) return failures.crashFailure(error instanceof Error ? error.message : String(error));
    return this.#explainThrow(error);
  }

  #stopped(): ProgramFailure {
    const { timeoutMs } = this.#options.request.limits;
    return this.#meter.stopReason === 'cancelled' ? failures.cancelledFailure() : failures.timeoutFailure(timeoutMs);
  }

  /** An exception left the engine itself: refused source, exhausted memory or stack inside of the prelude. */
  #explainThrow({ thrown }: GuestThrow): ProgramFailure {
    const { guest } = this.#options;
    if (this.#meter.mustStop()) {
      guest.realm.free(thrown);
      return this.#stopped();
    }
    const exhausted = this.#options.engine.wasFull();
    if (exhausted) this.#options.engine.releaseReserve();
    try {
      this.#meter.grace(() => guest.fail(thrown));
      const collected = this.#meter.grace(() => guest.collect());
      guest.realm.free(thrown);
      if (collected) this.#frames.add(collected);
      const error = collected?.report[5]?.error;
      if (error) {
        const failure = this.#programFailure(error);
        return this.#concluded || failure.name !== 'SyntaxError' ? failure : { ...failure, code: 'syntax_error' };
      }
    } catch (error) {
      this.#noteFault(error);
    }
    return exhausted ? failures.memoryFailure() : failures.crashFailure('the engine gave no reason');
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

  /** @throws Stopped */
  #checkStop(): void {
    if (this.#meter.mustStop()) throw new Stopped();
  }

  #noteFault(error: unknown): void {
    if (error instanceof EngineFault && error.kind !== 'memory_limit') this.#fault = error;
  }

  #enter<T>(work: () => T): T {
    try {
      return this.#meter.enter(work);
    } catch (error) {
      this.#noteFault(error);
      if (this.#meter.stopReason !== undefined && error instanceof GuestThrow) {
        this.#options.guest.realm.free(error.thrown);
        throw new Stopped();
      }
      throw error;
    }
  }
}

/** The meter says that the program must end. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

function withUnhandled(failure: ProgramFailure, end: ReportedEnd): ProgramFailure {
  const others = end.unhandled.filter(([call]) => call === 0 || call !== failure.call);
  if (others.length === 0) return failure;
  const list = others.slice(0, 3).map(([call, message]) => (call > 0 ? `call ${call}: ${message}` : message));
  return { ...failure, message: `${failure.message} (Also failed, unhandled: ${list.join('; ')})` };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
