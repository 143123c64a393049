import type { ExecuteReply, ExecuteRequest, Frame, ProgramFacts, WireCall, WireReply } from '../protocol/wire.ts';

/** What a running program may ask of the host. The bridge calls it; the session implements it. */
export interface ToolHost {
  /** The program has a worker and starts now. `fresh`: the worker keeps nothing of the session's earlier runs. */
  started(info: { readonly fresh: boolean }): void;
  /** Facts of one drain. Comes before `call` for the calls in `frame.calls`, in order, in the same turn. */
  frame(frame: Frame): void;
  /** True when the worker has the reply to the call from a replay: then it is not asked for. Comes instead of `call`. */
  replayed?(call: WireCall): boolean;
  /** Answers one call. Never rejects. The bridge hands replies that are ready in the same turn over as one message. */
  call(call: WireCall): Promise<WireReply>;
}

/**
 * Runs programs. Two implementations: web worker and node worker.
 *
 * `execute` never rejects for anything a program, a worker or an abort does: it resolves with a failed reply
 * (`cancelled`, `timeout`, `executor_crashed`, `executor_unavailable`, `environment_unsupported` …).
 */
export interface Executor extends AsyncDisposable {
  execute(request: ExecuteRequest, host: ToolHost, signal: AbortSignal): Promise<ExecuteReply>;
  analyze(source: string, names: ExecuteRequest['names'], signal: AbortSignal): Promise<ProgramFacts>;
  /** Starts a spare worker for programs of this memory size. */
  warmUp(memoryBytes: number): Promise<void>;
  /**
   * The first program is about to come: where there is no worker yet, what it needs is loaded and started meanwhile. Resolves
   * once a worker has its file and works by itself, or after 200 ms. Never throws or rejects; what goes wrong is told by `execute`.
   */
  prepare?(memoryBytes: number): Promise<void>;
  /**
   * A run waits for people only, and can go on without its worker. `park` is called when another run needs one, the run that
   * offered first going first; it ends its own execution by its signal. False: it needs the worker itself by now.
   * @returns withdraws the offer
   */
  offerWorker?(park: () => boolean): () => void;
  /** Drops what a session kept alive (idle worker, globals). */
  endSession(sessionId: string): void;
  /** Engine and version, for the journal. */
  readonly engine: string;
}
