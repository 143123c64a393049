/** Code mode in Node: programs run in worker threads. Everything else comes from `react-code-mode/core`. */
export { createNodeExecutor } from './bridge/node-worker-executor.ts';
export type { NodeExecutorOptions } from './bridge/node-worker-executor.ts';
