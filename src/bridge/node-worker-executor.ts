import { availableParallelism } from 'node:os';
import { workerUrl } from '../worker-url.ts';
import { startNodeWorker } from './node-worker-port.ts';
import { createPooledExecutor, type PooledExecutor, type PooledExecutorOptions } from './pooled-executor.ts';

export interface NodeExecutorOptions extends PooledExecutorOptions {
  /** Address of the package's `worker.js` (a `file:` URL or an absolute path). @default beside the package's code */
  readonly workerUrl?: string | URL;
}

/**
 * Runs programs in worker threads of Node. A waiting run keeps the process alive, an idle worker does not.
 * Worker threads share the process: they are no boundary against an escape from the engine.
 * @throws InvalidOptionsError
 */
export function createNodeExecutor(options: NodeExecutorOptions = {}): PooledExecutor {
  return createPooledExecutor(
    {
      cores: availableParallelism(),
      sharedMemory: true,
      start: (timeoutMs) => startNodeWorker(options.workerUrl ?? workerUrl, timeoutMs),
      dispose() {},
    },
    options,
  );
}
