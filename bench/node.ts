/** The benchmark in Node. */
import { Worker } from 'node:worker_threads';
import { createNodeExecutor } from 'react-code-mode/node';
import { bare } from './bare.ts';
import { type Row, type Settings, measure } from './measure.ts';
import { ours } from './ours.ts';
import type { Peer } from './prototype/host.ts';

function nodePeer(): Peer {
  const worker = new Worker(new URL('./prototype.mjs', import.meta.url));
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    end: () => void worker.terminate(),
  };
}

export function run(settings: Settings): Promise<Row[]> {
  return measure([bare(nodePeer), ours(() => createNodeExecutor())], settings);
}
