import { workerUrl } from '../worker-url.ts';
import { createPooledExecutor, type PooledExecutor, type PooledExecutorOptions } from './pooled-executor.ts';
import { createWebWorkerStarter } from './start-web-worker.ts';

export interface WebWorkerExecutorOptions extends PooledExecutorOptions {
  /** Address of the package's `worker.js`. @default beside the package's code, as bundlers copy it */
  readonly workerUrl?: string | URL;
  /** Makes the worker itself; `workerUrl` and the fallback are then not used. */
  readonly createWorker?: () => Worker;
  /** Start the worker from a Blob when its file does not load. The Blob inherits the page's policy. @default true */
  readonly blobFallback?: boolean;
}

// Common machines have at least two; browsers that hide the number say nothing.
const UNKNOWN_CORES = 2;

/**
 * Runs programs in dedicated web workers. Starts nothing before the first run or `warmUp`.
 * @throws InvalidOptionsError
 */
export function createWebWorkerExecutor(options: WebWorkerExecutorOptions = {}): PooledExecutor {
  const starter = createWebWorkerStarter({
    url: () => options.workerUrl ?? workerUrl,
    createWorker: options.createWorker,
    text: options.blobFallback === false ? undefined : async () => (await import('../worker-source.ts')).workerSource(),
  });
  const turns = createTurns();
  return createPooledExecutor(
    {
      cores: globalThis.navigator?.hardwareConcurrency || UNKNOWN_CORES,
      sharedMemory: globalThis.crossOriginIsolated === true,
      start: starter.start,
      nextTurn: turns.next,
      dispose() {
        starter.dispose();
        turns.dispose();
      },
    },
    options,
  );
}

/** The next turn without the 4 ms that nested timers are held back. The channel exists only once it is needed. */
function createTurns(): { next(callback: () => void): void; dispose(): void } {
  const callbacks: (() => void)[] = [];
  let channel: MessageChannel | undefined;
  return {
    next(callback) {
      if (channel === undefined) {
        channel = new MessageChannel();
        channel.port1.onmessage = () => callbacks.shift()?.();
      }
      callbacks.push(callback);
      channel.port2.postMessage(null);
    },
    dispose() {
      channel?.port1.close();
      channel = undefined;
      callbacks.length = 0;
    },
  };
}
