/** A page that has nothing yet: loads one subject and runs `1 + 1` with it. The clock starts with its first line. */
import type { LoadPeer } from '../peers/load.ts';
import type { Subject } from '../subject.ts';

const before = performance.now();

declare global {
  interface Window {
    coldMs: Promise<number>;
  }
}

const load: LoadPeer = (name) => import(/* @vite-ignore */ new URL(`../page/peers/${name}.js`, location.href).href);

/** Each its own chunk: a page loads what its subject needs. */
const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  ours: async () => (await import('../page/ours.ts')).oursOnPage(),
  prototype: async () => {
    const [{ prototype }, { createPeer }] = await Promise.all([import('../subjects/prototype.ts'), import('../page/peer.ts')]);
    return prototype(createPeer);
  },
  'pi-codemode': async () => (await import('../peers/pi-codemode.ts')).piCodemode(load, true),
  sebastianwessel: async () => (await import('../peers/sebastianwessel.ts')).sebastianwessel(load),
  tanstack: async () => (await import('../peers/tanstack.ts')).tanstack(load),
  cloudflare: async () => (await import('../peers/cloudflare.ts')).cloudflare(load),
};

async function play(): Promise<number> {
  const subject = await SUBJECTS[new URLSearchParams(location.search).get('subject') ?? '']?.();
  const opened = await subject?.open({ warm: false });
  const value = await opened?.run('return 1 + 1;');
  if (value !== 2) throw new Error(`gave ${String(value)} instead of 2`);
  return performance.now() - before;
}

window.coldMs = play();
