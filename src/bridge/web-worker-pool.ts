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
  return createPooledExecutor(
    {
      cores: globalThis.navigator?.hardwareConcurrency || UNKNOWN_CORES,
      sharedMemory: globalThis.crossOriginIsolated === true,
      start: starter.start,
      dispose: starter.dispose,
    },
    options,
  );
}
