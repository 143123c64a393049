/** The benchmark on a page: it plays the subject that its address names, and does what the script beside the browser says. */
import { createHost, type Host } from '../host.ts';
import { cloudflare } from '../peers/cloudflare.ts';
import type { LoadPeer } from '../peers/load.ts';
import { piCodemode } from '../peers/pi-codemode.ts';
import { sebastianwessel } from '../peers/sebastianwessel.ts';
import { tanstack } from '../peers/tanstack.ts';
import type { Subject } from '../subject.ts';
import { platform } from '../subjects/platform.ts';
import { prototype } from '../subjects/prototype.ts';
import { oursOnPage } from './ours.ts';
import { createPeer } from './peer.ts';

declare global {
  interface Window {
    benchHost: Host;
  }
}

const load: LoadPeer = (name) => import(/* @vite-ignore */ new URL(`./peers/${name}.js`, location.href).href);

const SUBJECTS: Readonly<Record<string, () => Subject>> = {
  ours: oursOnPage,
  prototype: () => prototype(createPeer),
  platform: () => platform(createPeer),
  'pi-codemode': () => piCodemode(load, true),
  sebastianwessel: () => sebastianwessel(load),
  tanstack: () => tanstack(load),
  cloudflare: () => cloudflare(load),
};

const name = new URLSearchParams(location.search).get('subject') ?? '';
const create = SUBJECTS[name];
if (!create) throw new Error(`There is no subject ${name} on a page.`);
window.benchHost = createHost(create());
