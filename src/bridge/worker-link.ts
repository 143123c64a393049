import { releaseProxy, transfer, wrap } from 'comlink';
import type { Remote } from 'comlink';
import type { Clock } from '../protocol/clock.ts';
import type {
  ModuleMessage,
  ExecuteRequest,
  Frame,
  NameTable,
  ProgramFacts,
  RunEnd,
  WireReply,
  WorkerInit,
  WorkerReady,
} from '../protocol/wire.ts';
import type { WorkerControl } from '../protocol/control.ts';
import { packReplies } from '../protocol/packing.ts';
import { createFrameGate, type FrameGate } from './frame-gate.ts';
import { readFacts, readModule, readReady, readRunEnd } from './reply-gate.ts';
import { restrictEndpoint } from './restricted-endpoint.ts';
import type { WorkerFault, WorkerPort } from './worker-port.ts';

/** More messages than this that are none of ours, and the worker is ended: it is broken or hostile. */
const MAX_DROPPED = 100;

/** Thrown by every pending call of a link when its worker is gone. */
export class LinkDown extends Error {
  override readonly name = 'LinkDown';
  readonly fault: WorkerFault;

  constructor(fault: WorkerFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** What a run hears from its worker while it goes on. */
export interface RunListener {
  frame(frame: Frame): void;
}

/** A live worker that has been initialised. Owns settlement: every promise it gave settles when the worker dies. */
export interface WorkerLink {
  readonly ready: WorkerReady;
  /** What this worker compiled and prepared, where a page may have it. */
  readonly module: ModuleMessage | undefined;
  /** Set once the worker is gone. */
  readonly fault: WorkerFault | undefined;
  /** Messages that were refused. */
  readonly dropped: number;
  /** Frames of the current run so far. */
  readonly frames: number;
  /** One run at a time. @throws LinkDown */
  run(request: ExecuteRequest, listener: RunListener): Promise<RunEnd>;
  settle(runId: string, replies: readonly WireReply[]): void;
  cancel(runId: string): void;
  /** @throws LinkDown */
  analyze(source: string, names: NameTable): Promise<ProgramFacts>;
  /** Called once when the worker dies, whoever ended it. The returned function takes the listener back. */
  onDown(listener: (fault: WorkerFault) => void): () => void;
  /** Terminates the worker; pending calls fail with `fault`. */
  end(fault: WorkerFault): void;
  /** Keeps the process alive (Node); each `ref` wants one `unref`, and a new link has one to give. */
  ref(): void;
  unref(): void;
}

/** Initialises a worker that has greeted. @throws LinkDown when it does not answer in `timeoutMs`, or answers wrongly */
export async function openLink(port: WorkerPort, init: WorkerInit, clock: Clock, timeoutMs: number): Promise<WorkerLink> {
  const link = new Link(port, init.cancelFlag);
  const cancelTimer = clock.schedule(
    () =>
      link.end({
        code: 'executor_unavailable',
        message: `The worker started but did not become ready within ${timeoutMs} ms. The machine may be overloaded; raise \`initTimeoutMs\` or try again.`,
      }),
    timeoutMs,
  );
  try {
    await link.init(init);
    return link;
  } finally {
    cancelTimer();
  }
}

class Link implements WorkerLink {
  ready: WorkerReady = { protocol: 0, engine: '' };
  module: ModuleMessage | undefined;
  fault: WorkerFault | undefined;
  readonly #port: WorkerPort;
  readonly #remote: Remote<WorkerControl>;
  readonly #endpoint: ReturnType<typeof restrictEndpoint>;
  readonly #channel = new MessageChannel();
  readonly #pending = new Set<(fault: WorkerFault) => void>();
  readonly #downListeners = new Set<(fault: WorkerFault) => void>();
  readonly #cancelFlag: Int32Array | undefined;
  #resolveModule: (module: ModuleMessage | undefined) => void = () => {};
  readonly #sentModule = new Promise<ModuleMessage | undefined>((resolve) => {
    this.#resolveModule = resolve;
  });
  #droppedFrames = 0;
  /** Whoever starts it holds it. */
  #holds = 1;
  #sentNames: string | undefined;
  #run: { readonly gate: FrameGate; readonly listener: RunListener } | undefined;

  constructor(port: WorkerPort, cancelFlag: SharedArrayBuffer | undefined) {
    this.#port = port;
    this.#cancelFlag = cancelFlag && new Int32Array(cancelFlag);
    port.onFault((fault) => this.end(fault));
    this.#endpoint = restrictEndpoint(port, () => this.#countDropped());
    this.#remote = wrap<WorkerControl>(this.#endpoint);
    this.#channel.port1.onmessage = (event: MessageEvent<unknown>) => this.#receive(event.data);
    this.#channel.port1.onmessageerror = () => this.#unreadable();
    unrefPort(this.#channel.port1);
  }

  get dropped(): number {
    return this.#endpoint.dropped + this.#droppedFrames;
  }

  get frames(): number {
    return this.#run?.gate.frames ?? 0;
  }

  async init(init: WorkerInit): Promise<void> {
    const { port2 } = this.#channel;
    const ready = readReady(await this.#ask(this.#remote.init(init, transfer(port2, [port2]))));
    if (ready?.error !== undefined) throw this.#down({ code: ready.error.code, message: ready.error.message });
    if (ready?.protocol === init.protocol) {
      this.ready = ready;
      if (ready.compiled) this.module = await this.#ask(this.#sentModule);
      return;
    }
    throw this.#down({
      code: 'executor_unavailable',
      message: ready
        ? `The worker file speaks protocol ${ready.protocol}, this page ${init.protocol}: two versions of the package are mixed. Deploy worker and page from one version (a cached worker file is the usual cause).`
        : 'The worker answered its start with something that is no answer. The worker file is not the one of this package.',
      data: { page: init.protocol, worker: ready?.protocol ?? null },
    });
  }

  async run(request: ExecuteRequest, listener: RunListener): Promise<RunEnd> {
    if (this.#cancelFlag) Atomics.store(this.#cancelFlag, 0, 0);
    this.#run = { gate: createFrameGate(request.runId, request.limits, request.preflight), listener };
    const known = this.#sentNames === request.names.version;
    this.#sentNames = request.names.version;
    const { names, ...rest } = request;
    const answer = await this.#ask(this.#remote.run(rest, known ? undefined : names));
    const end = readRunEnd(answer, request.limits);
    if (end === undefined) throw this.#down(breach('the end of a run'));
    return end;
  }

  settle(runId: string, replies: readonly WireReply[]): void {
    if (this.fault === undefined) this.#channel.port1.postMessage(packReplies(runId, replies));
  }

  cancel(runId: string): void {
    if (this.#cancelFlag) Atomics.store(this.#cancelFlag, 0, 1);
    // Nobody waits for the answer: the run's own end says what came of it.
    if (this.fault === undefined) this.#remote.cancel(runId).catch(() => {});
  }

  async analyze(source: string, names: NameTable): Promise<ProgramFacts> {
    const facts = readFacts(await this.#ask(this.#remote.analyze(source, names)), Math.max(source.length * 2, 65_536));
    if (facts === undefined) throw this.#down(breach('facts about a program'));
    return facts;
  }

  onDown(listener: (fault: WorkerFault) => void): () => void {
    if (this.fault) listener(this.fault);
    else this.#downListeners.add(listener);
    return () => this.#downListeners.delete(listener);
  }

  end(fault: WorkerFault): void {
    if (this.fault) return;
    this.fault = fault;
    this.#run = undefined;
    this.#channel.port1.onmessage = null;
    this.#channel.port1.close();
    this.#remote[releaseProxy]();
    this.#endpoint.close();
    this.#port.terminate();
    for (const reject of this.#pending) reject(fault);
    this.#pending.clear();
    for (const listener of this.#downListeners) listener(fault);
    this.#downListeners.clear();
  }

  ref(): void {
    if (this.#holds++ === 0) this.#port.ref();
  }

  unref(): void {
    if (--this.#holds === 0) this.#port.unref();
  }

  /** Comlink leaves a promise open for ever when the peer dies; this one settles. */
  #ask<T>(answer: Promise<T>): Promise<T> {
    if (this.fault) return Promise.reject(new LinkDown(this.fault));
    return new Promise<T>((resolve, reject) => {
      const fail = (fault: WorkerFault): void => reject(new LinkDown(fault));
      this.#pending.add(fail);
      answer.then(resolve, reject).finally(() => this.#pending.delete(fail));
    });
  }

  #down(fault: WorkerFault): LinkDown {
    this.end(fault);
    return new LinkDown(this.fault ?? fault);
  }

  #receive(message: unknown): void {
    if (this.#run === undefined) return this.#receiveModule(message);
    const verdict = this.#run.gate.check(message);
    if (verdict.ok) return this.#run.listener.frame(verdict.frame);
    // A late frame of a run that was cancelled is no breach; a wrong frame of this run would leave its calls open.
    if (verdict.why === 'runId') return this.#countDropped(true);
    this.#droppedFrames++;
    this.end({ ...breach(`a frame (${verdict.why})`), data: { field: verdict.why } });
  }

  #receiveModule(message: unknown): void {
    const module = readModule(message);
    if (module === undefined) return this.#countDropped(true);
    this.#resolveModule(module);
  }

  /** Before the first run it is a module that this page may not have; each worker then compiles its own. */
  #unreadable(): void {
    if (this.#run === undefined) this.#resolveModule(undefined);
    else this.end(breach('a frame that cannot be read'));
  }

  #countDropped(frame = false): void {
    if (frame) this.#droppedFrames++;
    if (this.dropped > MAX_DROPPED) this.end(breach('its messages'));
  }
}

function breach(what: string): WorkerFault {
  return {
    code: 'executor_crashed',
    message: `The worker broke the protocol with ${what} and was ended. Nothing of it was used; the next run gets a new worker.`,
  };
}

/** In Node an open port keeps the process alive; the worker itself does that while it runs. */
function unrefPort(port: MessagePort): void {
  (port as { unref?: () => void }).unref?.();
}
