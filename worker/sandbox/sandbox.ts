/** The sandbox inside the worker: one engine, one program at a time. */
import { fingerprint } from 'virtual:guest-source';
import { encode } from '../../src/protocol/codec.ts';
import {
  type EncodedText,
  type ExecuteReply,
  type ExecuteRequest,
  type Frame,
  MAX_PREFLIGHT_CHARS,
  type NameTable,
  type ProgramFacts,
  type ProgramFailure,
  type WireReply,
} from '../../src/protocol/wire.ts';
import { analyze, normaliseAndAnalyze } from '../program/analyze.ts';
import { normalise } from '../program/normalise.ts';
import { Contexts, type PreparedContext } from './contexts.ts';
import { ENGINE_NAME, type Engine, loadEngine } from './engine.ts';
import { crashFailure } from './failure.ts';
import type { Guest } from './guest.ts';
import { ProgramRun } from './program-run.ts';

export interface SandboxOptions {
  /** Compiled by an earlier worker. @default compiled from the bytes that the worker carries */
  readonly module?: WebAssembly.Module;
  /** Made by an earlier worker with the same module; left aside when its memory is of another size. @default made here */
  readonly context?: PreparedContext | undefined;
  /** Largest heap of a program, bytes; the engine's memory grows up to this + 32 MiB. */
  readonly memoryBytes: number;
  /** Native stack a program may use. @default 131072 (128 KiB: in a browser more overflows the host's stack first) */
  readonly stackBytes?: number;
  /** Non-zero in its first 32-bit word cancels the program, also in the middle of a loop. */
  readonly cancelFlag?: SharedArrayBuffer;
  /** Milliseconds since the epoch, with fractions, never going back. @default `performance.timeOrigin + performance.now()` */
  now?(): number;
  /** One turn of the event loop, so that messages get in. @default a message to itself, or `setImmediate` */
  yield?(): Promise<void>;
  /** @default `setTimeout` */
  schedule?(callback: () => void, ms: number): () => void;
}

export interface Sandbox {
  /** Runs a program. Never rejects. One at a time. */
  run(request: ExecuteRequest, send: (frame: Frame) => void): Promise<ExecuteReply>;
  /** Replies to calls. Those of another run, or a second one for the same call, are dropped. */
  settle(runId: string, replies: readonly WireReply[]): void;
  cancel(runId: string): void;
  analyze(source: string, names: NameTable): ProgramFacts;
  /** Frees the globals a session kept. */
  endSession(sessionId: string): void;
  /** Makes the next program's context now, so that it does not have to wait for it. */
  prepare(): Promise<void>;
  /** True: the engine overflowed, ran out of memory, trapped or was stopped inside a native function. Never use it again. */
  readonly spent: boolean;
  readonly module: WebAssembly.Module;
  /** For workers to come; undefined once it is no more what no program has touched. */
  preparedContext(): PreparedContext | undefined;
  /** Engine, version and a mark of the prelude, for the journal. */
  readonly engine: string;
}

/** @throws what `loadEngine` throws */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const context = options.context?.memoryBytes === options.memoryBytes ? options.context : undefined;
  const engine = await loadEngine({ ...options, books: context?.books });
  return new QuickJsSandbox(engine, { ...options, context });
}

const DEFAULT_STACK_BYTES = 128 * 1024;

/** The program that runs now. */
interface Current {
  readonly runId: string;
  readonly sessionId: string;
  readonly run: ProgramRun;
  /** The session was ended meanwhile: nothing of it is kept. */
  sessionEnded: boolean;
}

class QuickJsSandbox implements Sandbox {
  readonly engine: string = `${ENGINE_NAME}, prelude ${fingerprint}`;
  readonly #engine: Engine;
  readonly #options: SandboxOptions;
  readonly #powers: Required<Pick<SandboxOptions, 'now' | 'yield' | 'schedule'>>;
  readonly #cancelFlag: Int32Array | undefined;
  readonly #sessions = new Map<string, Guest>();
  readonly #contexts: Contexts;
  #current: Current | undefined;
  #spent = false;

  constructor(engine: Engine, options: SandboxOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#contexts = new Contexts(engine, options.memoryBytes, options.stackBytes ?? DEFAULT_STACK_BYTES);
    if (options.context) this.#contexts.adopt(options.context);
    this.#powers = { ...defaultPowers(), ...pick(options) };
    this.#cancelFlag = options.cancelFlag && new Int32Array(options.cancelFlag);
  }

  get spent(): boolean {
    return this.#spent;
  }

  get module(): WebAssembly.Module {
    return this.#engine.module;
  }

  preparedContext(): PreparedContext | undefined {
    return this.#contexts.prepared();
  }

  async run(request: ExecuteRequest, send: (frame: Frame) => void): Promise<ExecuteReply> {
    const { program, facts } = request.preflight
      ? normaliseAndAnalyze(request.source, request.names, { state: request.state })
      : { program: normalise(request.source, { state: request.state }) };
    if (!program.ok) return failed(program.failure);
    if (this.#current) return failed(crashFailure('it was given a second program at the same time'));
    if (this.#spent) return failed(crashFailure('it was used again after it had broken'));
    let guest: Guest;
    try {
      guest = this.#guestFor(request);
    } catch (error) {
      this.#spent = true;
      return failed(crashFailure(error instanceof Error ? error.message : String(error)));
    }
    const run = new ProgramRun({
      engine: this.#engine,
      guest,
      request,
      program,
      preflight: facts && questionOf(facts),
      send,
      cancelFlag: this.#cancelFlag,
      ...this.#powers,
    });
    const current: Current = { runId: request.runId, sessionId: request.sessionId, run, sessionEnded: false };
    this.#current = current;
    const reply = await run.execute();
    this.#current = undefined;
    const kept = this.#retire(guest, current, request);
    return request.state === 'session' && !kept && !current.sessionEnded ? { ...reply, stateLost: true } : reply;
  }

  /** The session's own context, else the one that a memory image brings back, else a new one. */
  #guestFor(request: ExecuteRequest): Guest {
    const { memoryBytes } = request.limits;
    if (request.restart) this.endSession(request.sessionId);
    const kept = request.state === 'session' ? this.#sessions.get(request.sessionId) : undefined;
    const guest = kept ?? this.#contexts.take();
    guest.realm.setLimits(Math.min(memoryBytes, this.#options.memoryBytes), this.#stackBytes);
    return guest;
  }

  get #stackBytes(): number {
    return this.#options.stackBytes ?? DEFAULT_STACK_BYTES;
  }

  /** Keeps the context for the session's next program, or gives it back. A broken engine is left as it is. */
  #retire(guest: Guest, { run, sessionEnded }: Current, { state, sessionId }: ExecuteRequest): boolean {
    if (run.spent) this.#spent = true;
    const keep = state === 'session' && run.clean && !sessionEnded;
    if (keep) this.#sessions.set(sessionId, guest);
    else if (this.#sessions.get(sessionId) === guest) this.#sessions.delete(sessionId);
    if (!keep && !run.broken && !this.#giveBack(guest) && run.tornNative) this.#spent = true;
    return keep;
  }

  /** @returns true when nothing is left of what ran in it */
  #giveBack(guest: Guest): boolean {
    try {
      return this.#contexts.giveBack(guest);
    } catch {
      this.#spent = true;
      return false;
    }
  }

  settle(runId: string, replies: readonly WireReply[]): void {
    if (this.#current?.runId === runId) this.#current.run.settle(replies);
  }

  cancel(runId: string): void {
    if (this.#current?.runId === runId) this.#current.run.cancel();
  }

  analyze(source: string, names: NameTable): ProgramFacts {
    return analyze(source, names);
  }

  endSession(sessionId: string): void {
    const guest = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    if (this.#current?.sessionId === sessionId) this.#current.sessionEnded = true;
    else if (guest && !this.#spent) this.#giveBack(guest);
  }

  prepare(): Promise<void> {
    if (!this.#spent) this.#contexts.prepare();
    return Promise.resolve();
  }
}

/** What the page can judge of a program; undefined when there is nothing, or more than may cross. */
function questionOf({ references, computedName }: ProgramFacts): EncodedText | undefined {
  const judged = references.filter(({ known, literalInput }) => !known || literalInput !== undefined);
  if (judged.length === 0) return undefined;
  const text = encode({ references: judged, computedName, freeIdentifiers: [] } satisfies ProgramFacts);
  return text.length > MAX_PREFLIGHT_CHARS ? undefined : text;
}

function failed(error: ProgramFailure): ExecuteReply {
  return { status: 'failed', error, warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 };
}

function pick({ now, schedule, yield: turn }: SandboxOptions): Partial<Pick<SandboxOptions, 'now' | 'yield' | 'schedule'>> {
  return { ...(now && { now }), ...(schedule && { schedule }), ...(turn && { yield: turn }) };
}

/** Taken from the realm when the sandbox is made: the worker gives most of its globals up afterwards. */
function defaultPowers(): Required<Pick<SandboxOptions, 'now' | 'yield' | 'schedule'>> {
  const { setTimeout: set, clearTimeout: clear, performance: clock, MessageChannel: Channel } = globalThis;
  const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => void };
  return {
    now: () => clock.timeOrigin + clock.now(),
    yield: () =>
      new Promise((resolve) => {
        if (immediate) return immediate(resolve);
        const { port1, port2 } = new Channel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(0);
      }),
    schedule: (callback, ms) => {
      const id = set(callback, ms);
      return () => clear(id);
    },
  };
}
