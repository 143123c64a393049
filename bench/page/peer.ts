/** A worker of the prototype, on a page. */
import type { Peer } from '../prototype/host.ts';

export function createPeer(): Peer {
  const worker = new Worker(new URL('../prototype/thread.ts', import.meta.url), { type: 'module' });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) =>
      worker.addEventListener('message', (event) => listener(event.data as Parameters<typeof listener>[0])),
    end: () => worker.terminate(),
  };
}
