import { checkExecutorOptions } from './executor-options.ts';
import { lazyExecutor } from './lazy-executor.ts';
import type { PooledExecutor, PooledExecutorOptions } from './pooled-executor.ts';

export interface WebWorkerExecutorOptions extends PooledExecutorOptions {
  /** Address of the package's `worker.js`. @default beside the package's code, as bundlers copy it */
  readonly workerUrl?: string | URL;
  /** Makes the worker itself; `workerUrl` and the fallback are then not used. */
  readonly createWorker?: () => Worker;
  /** Start the worker from a Blob when its file does not load. The Blob inherits the page's policy. @default true */
  readonly blobFallback?: boolean;
}

/**
 * Runs programs in dedicated web workers. Loads and starts nothing before the first run or `warmUp`.
 * @throws InvalidOptionsError
 */
export function createWebWorkerExecutor(options: WebWorkerExecutorOptions = {}): PooledExecutor {
  checkExecutorOptions(options);
  return lazyExecutor(async () => (await import('./web-worker-pool.ts')).createWebWorkerPool(options));
}
