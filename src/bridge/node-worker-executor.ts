import { availableParallelism } from 'node:os';
import { workerUrl } from '../worker-url.ts';
import { createNodeStarter } from './node-worker-port.ts';
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
  const start = createNodeStarter(options.workerUrl ?? workerUrl);
  return createPooledExecutor(
    {
      cores: availableParallelism(),
      sharedMemory: true,
      keepsCode: true,
      start,
      dispose() {},
    },
    options,
  );
}
