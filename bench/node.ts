/** The benchmark in Node: this process plays one subject, and does what its parent says. */
import { Worker } from 'node:worker_threads';
import { createHost, type Host } from './host.ts';
import type { LoadPeer } from './peers/load.ts';
import { piCodemode } from './peers/pi-codemode.ts';
import { runPeer } from './peers/run.ts';
import { sebastianwessel } from './peers/sebastianwessel.ts';
import { tanstack } from './peers/tanstack.ts';
import type { Peer } from './prototype/host.ts';
import type { Subject } from './subject.ts';
import { ours } from './subjects/ours.ts';
import { platform } from './subjects/platform.ts';
import { prototype } from './subjects/prototype.ts';

function createPeer(): Peer {
  const worker = new Worker(new URL('./prototype.mjs', import.meta.url));
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    end: () => void worker.terminate(),
  };
}

const SUBJECTS: Readonly<Record<string, (load: LoadPeer) => Subject>> = {
  ours: () =>
    ours(async () => {
      const [{ createCodeMode }, { createNodeExecutor }] = await Promise.all([
        import('react-code-mode/core'),
        import('react-code-mode/node'),
      ]);
      return { createCodeMode, createExecutor: createNodeExecutor };
    }),
  prototype: () => prototype(createPeer),
  platform: () => platform(createPeer),
  run: runPeer,
  'pi-codemode': (load) => piCodemode(load, false),
  sebastianwessel,
  tanstack,
};

/** @param load imports a peer from the folder that has it */
export function serve(name: string, load: LoadPeer): void {
  const create = SUBJECTS[name];
  if (!create) throw new Error(`There is no subject ${name} in Node.`);
  const host = createHost(create(load), () => process.cpuUsage().user / 1000);
  process.on('message', ({ method, row }: { method: keyof Host; row: string }) => {
    host[method](row).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.send?.({ value: 'up' });
}
