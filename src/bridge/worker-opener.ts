/** From nothing to a link: starts a worker, initialises it, and lets the first one compile for all. */
import { isCodeModeError } from '../errors.ts';
import type { Clock } from '../protocol/clock.ts';
import { type ModuleMessage, PROTOCOL_VERSION, type WorkerInit } from '../protocol/wire.ts';
import type { Backoff } from './backoff.ts';
import { nextTurn } from './next-turn.ts';
import { rehearse } from './rehearsal.ts';
import { createSlots } from './slots.ts';
import { LinkDown, openLink, type WorkerLink } from './worker-link.ts';
import type { WorkerFault, WorkerPlatform } from './worker-port.ts';

export interface WorkerOpenerOptions {
  readonly platform: WorkerPlatform;
  readonly clock: Clock;
  readonly backoff: Backoff;
  /** For loading and initialising together. Milliseconds. */
  readonly initTimeoutMs: number;
}

export class WorkerOpener {
  readonly #options: WorkerOpenerOptions;
  /** Taken from a worker before it ran any program. */
  #module: ModuleMessage | undefined;
  /** Likewise. */
  #code: Uint8Array | undefined;
  #first: Promise<unknown> | undefined;
  #rehearsed = false;
  /** Engine and version, once a worker was opened. */
  engine = '';

  constructor(options: WorkerOpenerOptions) {
    this.#options = options;
  }

  /**
   * The first worker compiles; the others wait for its module, unless it fails.
   * @param begun called when it has its file and works by itself
   * @throws LinkDown, EnvironmentError
   */
  async open(memoryBytes: number, reserve: boolean, begun: () => void = () => {}): Promise<WorkerLink> {
    const refusal = this.#options.backoff.refusal();
    if (refusal) throw new LinkDown(refusal);
    if (this.#module === undefined && this.#first !== undefined) await this.#first.catch(() => {});
    const opening = this.#openNow(memoryBytes, reserve, begun).catch((error: unknown) => {
      this.#options.backoff.failed(faultOf(error).message);
      throw error;
    });
    this.#first ??= opening;
    return opening;
  }

  async #openNow(memoryBytes: number, reserve: boolean, begun: () => void): Promise<WorkerLink> {
    const { platform, clock, initTimeoutMs } = this.#options;
    const deadline = clock.now() + initTimeoutMs;
    const port = await platform.start(initTimeoutMs, this.#code);
    const init: WorkerInit = {
      protocol: PROTOCOL_VERSION,
      memoryBytes,
      reserve,
      // Of a worker in reserve, because it has rehearsed: all that a program needs is compiled then.
      wantsCode: platform.keepsCode === true && reserve && this.#code === undefined,
      ...(this.#module?.context === undefined ? {} : { context: this.#module.context }),
      ...(this.#module === undefined ? {} : { module: this.#module.module }),
      ...(platform.sharedMemory ? { cancelFlag: new SharedArrayBuffer(4) } : {}),
    };
    const opening = openLink(port, init, clock, Math.max(1, deadline - clock.now()));
    begun();
    const link = await opening;
    if (reserve && !this.#rehearsed) {
      this.#rehearsed = true;
      await rehearse(link, memoryBytes, { clock, slots: createSlots(1, clock), nextTurn });
    }
    this.#module ??= link.module;
    this.#code ??= link.module?.code;
    this.engine = link.ready.engine;
    return link;
  }
}

/** Whatever was thrown while a worker started, as a fault. */
export function faultOf(error: unknown): WorkerFault {
  if (error instanceof LinkDown) return error.fault;
  if (isCodeModeError(error)) return { code: error.code, message: error.message, data: error.data };
  return {
    code: 'executor_unavailable',
    message: `The worker could not be started: ${error instanceof Error ? error.message : String(error)}`,
  };
}
