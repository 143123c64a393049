/**
 * Address of the worker's one file. The build of the package swaps this module for `new URL('./worker.js', …)`; from the
 * sources it is the bundle that `scripts/build-worker.ts` writes, the same for dev server, tests and Node.
 */
export const workerUrl: URL = new URL('../.cache/worker.js', import.meta.url);
