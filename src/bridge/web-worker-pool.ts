/** What runs programs on a page. Loaded by `web-worker-executor` with the first use. */
import { workerUrl } from '../worker-url.ts';
import { createPooledExecutor, type PooledExecutor } from './pooled-executor.ts';
import { createWebWorkerStarter } from './start-web-worker.ts';
import type { WebWorkerExecutorOptions } from './web-worker-executor.ts';

// Common machines have at least two; browsers that hide the number say nothing.
const UNKNOWN_CORES = 2;

/** Runs programs in dedicated web workers. Starts nothing before the first run or `warmUp`. @throws InvalidOptionsError */
export function createWebWorkerPool(options: WebWorkerExecutorOptions): PooledExecutor {
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
