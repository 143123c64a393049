// The package as others get it: what is in the tarball, publint, "are the types wrong", and its sizes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Explained, ROOT, command, run } from './setup.mjs';
import { pack } from './pack.mjs';
import { reportSizes } from './size.mjs';

const FORBIDDEN = [/(^|\/)(src|worker|demo|e2e|bench|scripts)\//, /\.test\./, /\.tsx?$/, /\.map$/];

/** @param {string} path */
const isForbidden = (path) => !path.endsWith('.d.ts') && FORBIDDEN.some((pattern) => pattern.test(path));

/** @returns {string[]} every file that `exports` of package.json names */
function exported() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  /** @type {(value: unknown) => string[]} */
  const files = (value) => (typeof value === 'string' ? [value] : Object.values(/** @type {object} */ (value)).flatMap(files));
  return files(exports).map((path) => path.replace(/^\.\//, ''));
}

/** @param {{ path: string }[]} files */
function checkContent(files) {
  const names = files.map((file) => file.path);
  const missing = [...exported(), 'README.md', 'THIRD-PARTY-NOTICES.md'].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Explained(`The tarball lacks ${missing.join(', ')}.`);
  const wrong = names.filter(isForbidden);
  if (wrong.length > 0) throw new Explained(`The tarball holds what nobody needs: ${wrong.join(', ')}.`);
  console.log(`${names.length} files, all that "exports" names among them.`);
}

await command(async () => {
  const { tarball, files, bytes } = await pack();
  checkContent(files);
  const cli = (/** @type {string[]} */ ...parts) => join('node_modules', ...parts);
  const publint = await run(process.execPath, [cli('publint', 'src', 'cli.js'), 'run', tarball, '--strict']);
  const attw = await run(process.execPath, [
    cli('@arethetypeswrong', 'cli', 'dist', 'index.js'),
    tarball,
    '--profile',
    'esm-only',
    '--no-emoji',
  ]);
  console.log(`Tarball: ${(bytes / 1000).toFixed(0)} kB`);
  await reportSizes();
  return publint.code || attw.code;
});
