// Packs the built package to `.cache/pack` and lists what is in it.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Explained, ROOT, run } from './setup.mjs';

const FOLDER = join(ROOT, '.cache/pack');

/**
 * @returns {Promise<{ tarball: string, files: { path: string, size: number }[], bytes: number }>}
 * @throws Explained when there is nothing built, or npm refuses.
 */
export async function pack() {
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Explained('There is no dist/: run "npm run build" first.');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const npm = process.env.npm_execpath;
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER];
  const { code, text } = npm
    ? await run(process.execPath, [npm, ...args], { silent: true })
    : await run('npm', args, { silent: true });
  if (code !== 0) throw new Explained(`npm pack failed:\n${text}`);
  const [info] = Object.values(JSON.parse(text.slice(text.search(/[[{]/))));
  return { tarball: join(FOLDER, info.filename), files: info.files, bytes: info.size };
}
