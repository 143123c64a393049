/** Entry of the prototype's worker, in a browser or in Node. */
import type * as threads from 'node:worker_threads';
import { serve } from './engine.ts';

declare const self: { postMessage(message: unknown): void; onmessage: ((event: { data: unknown }) => void) | null };

const builtin = (globalThis as { process?: { getBuiltinModule?(name: string): typeof threads } }).process;
const port = builtin?.getBuiltinModule?.('node:worker_threads').parentPort;

serve(
  (message) => (port ? port.postMessage(message) : self.postMessage(message)),
  (handler) => {
    if (port) port.on('message', handler);
    else self.onmessage = (event) => handler(event.data as Parameters<typeof handler>[0]);
  },
);
