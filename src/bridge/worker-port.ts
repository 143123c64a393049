import type { ErrorCode, ErrorData } from '../errors.ts';

/** Why a worker is gone, or never came up. */
export interface WorkerFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: ErrorData;
}

/** One live worker, whatever the platform calls it. The pool knows workers by this seam only. */
export interface WorkerPort {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** At most one listener. */
  onMessage(listener: (data: unknown) => void): void;
  /** Called at most once, when the worker failed or ended by itself; never after `terminate`. */
  onFault(listener: (fault: WorkerFault) => void): void;
  terminate(): void;
  /** Keeps the process alive while a program runs (Node; nothing elsewhere). */
  ref(): void;
  unref(): void;
}

/** What the pool needs from its platform. */
export interface WorkerPlatform {
  /** Computing slots when the application names no number. */
  readonly cores: number;
  /** A flag in shared memory can cross to a worker. */
  readonly sharedMemory: boolean;
  /** Its workers give out compiled code of their file, and start sooner with it. */
  readonly keepsCode?: boolean;
  /**
   * Resolves with a worker that has greeted.
   * @param code what an earlier worker gave out, before it ran any program
   * @throws EnvironmentError `environment_unsupported` or `executor_unavailable`, within `timeoutMs`.
   */
  start(timeoutMs: number, code?: Uint8Array): Promise<WorkerPort>;
  /** Lets go of what `start` keeps. */
  dispose(): void;
}
