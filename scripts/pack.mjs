// Packs the built package to `.cache/pack` and lists what is in it.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Explained, ROOT, run } from './setup.mjs';

/**
 * @param {string} [folder] under .cache, emptied; whoever packs at the same time needs one of its own
 * @returns {Promise<{ tarball: string, files: { path: string, size: number }[], bytes: number }>}
 * @throws Explained when there is nothing built, or npm refuses.
 */
export async function pack(folder = 'pack') {
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Explained('There is no dist/: run "npm run build" first.');
  const destination = join(ROOT, '.cache', folder);
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const npm = process.env.npm_execpath;
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { code, text } = npm
    ? await run(process.execPath, [npm, ...args], { silent: true })
    : await run('npm', args, { silent: true });
  if (code !== 0) throw new Explained(`npm pack failed:\n${text}`);
  const [info] = Object.values(JSON.parse(text.slice(text.search(/[[{]/))));
  return { tarball: join(destination, info.filename), files: info.files, bytes: info.size };
}
