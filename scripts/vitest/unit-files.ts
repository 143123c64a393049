/**
 * How unit tests share their processes. To load all modules anew costs more than most files run, so files follow one another
 * with one set of modules, and put back what they change. Files that replace or reload modules have processes of their own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'worker', 'demo', 'scripts', 'e2e'];
const OWN_MODULES = /\bvi\.(mock|doMock|resetModules)\(/;

/** Paths, relative to `root`, of the unit tests that replace or reload modules. */
export function filesWithOwnModules(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
    .filter((path) => /(?<!\.browser)\.test\.tsx?$/.test(path) && OWN_MODULES.test(readFileSync(join(root, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'));
}
