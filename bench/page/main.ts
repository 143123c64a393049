/** The benchmark on a page; `scripts/bench.mjs` calls `window.bench`. */
import { createWebWorkerExecutor } from 'react-code-mode/core';
import { bare } from '../bare.ts';
import { type Row, type Settings, measure } from '../measure.ts';
import { ours } from '../ours.ts';
import type { Peer } from '../prototype/host.ts';

declare global {
  interface Window {
    bench(settings: Settings): Promise<Row[]>;
  }
}

function webPeer(): Peer {
  const worker = new Worker(new URL('../prototype/thread.ts', import.meta.url), { type: 'module' });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) =>
      worker.addEventListener('message', (event) => listener(event.data as Parameters<typeof listener>[0])),
    end: () => worker.terminate(),
  };
}

window.bench = (settings) => measure([bare(webPeer), ours(() => createWebWorkerExecutor())], settings);
