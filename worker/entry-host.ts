/** What the worker's file finds around it: a web worker or a thread of Node. Captured before anything is taken away. */
import type { Endpoint } from 'comlink';

export interface EntryHost {
  readonly kind: 'web' | 'node';
  /** Where Comlink listens and answers. */
  readonly endpoint: Endpoint;
  post(message: unknown): void;
  /** What this file was compiled to so far, for threads to come. Only where the thread's first lines offer it. */
  readonly code: (() => Uint8Array) | undefined;
}

interface ThreadPort {
  postMessage(message: unknown, transfer?: unknown): void;
  on(type: 'message', listener: (data: unknown) => void): void;
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:worker_threads'): { readonly parentPort: ThreadPort | null };
}

/** @throws Error in a place that is neither */
export function findHost(): EntryHost {
  const { process } = globalThis as { process?: NodeProcess };
  const port = process?.getBuiltinModule?.('node:worker_threads').parentPort;
  if (port) return threadHost(port);
  if (typeof globalThis.postMessage === 'function' && typeof globalThis.addEventListener === 'function') return webHost();
  throw new Error('worker.js needs a web worker, or a worker thread of Node 20.16 or newer');
}

function threadHost(port: ThreadPort): EntryHost {
  const post = port.postMessage.bind(port);
  return {
    kind: 'node',
    post,
    code: (globalThis as { codemodeCode?: () => Uint8Array }).codemodeCode,
    endpoint: {
      postMessage: post,
      // Comlink listens once and for the whole life of the worker.
      addEventListener: (_type, listener) => port.on('message', (data) => (listener as (event: unknown) => void)({ data })),
      removeEventListener() {},
    },
  };
}

function webHost(): EntryHost {
  const post = globalThis.postMessage.bind(globalThis) as (message: unknown, transfer?: Transferable[]) => void;
  const listen = globalThis.addEventListener.bind(globalThis);
  return {
    kind: 'web',
    post,
    code: undefined,
    endpoint: {
      postMessage: post,
      addEventListener: (type, listener) => listen(type, listener),
      removeEventListener() {},
    },
  };
}
