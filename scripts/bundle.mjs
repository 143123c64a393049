// Bundles TypeScript that a script runs in Node, because Node 20 cannot load it as it is. Packages stay outside.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, runnerImport } from 'vite';
import { ROOT } from './setup.mjs';

/** The package's public specifiers, as its sources. */
export const ALIASES = [
  { find: 'react-code-mode/styles.css', replacement: join(ROOT, 'src/react/styles.css') },
  { find: /^react-code-mode\/(?!worker\.js)(.+)$/, replacement: join(ROOT, 'src/$1.ts') },
  { find: /^react-code-mode$/, replacement: join(ROOT, 'src/index.ts') },
];

/**
 * The worker's file by its absolute address: a bundle lies elsewhere than the sources.
 * @param {string} path
 * @returns {import('vite').Plugin}
 */
function workerAddress(path) {
  const url = pathToFileURL(path).href;
  return {
    name: 'worker-address',
    load: (id) => (id.endsWith('/src/worker-url.ts') ? `export const workerUrl = new URL(${JSON.stringify(url)});` : undefined),
  };
}

/** Bundles the worker to `.cache/worker.js`. */
async function buildWorker() {
  const before = process.env.NODE_ENV;
  const { module } = await runnerImport(join(ROOT, 'scripts/plugins/worker-file.ts'));
  // It says `development` where nothing was said, and every later build of this process would get React's slow half.
  if (before === undefined) delete process.env.NODE_ENV;
  await module.writeWorker();
}

/**
 * @param {string} name of the folder under .cache
 * @param {Record<string, string>} entries output name → source, relative to the repository
 * @returns {Promise<string>} the folder with one `.mjs` an entry
 */
export async function bundleForNode(name, entries) {
  const outDir = join(ROOT, '.cache', name);
  mkdirSync(outDir, { recursive: true });
  // A copy of its own: whoever builds the worker meanwhile changes nothing for what runs.
  const worker = join(outDir, 'worker.js');
  await buildWorker();
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: ALIASES },
    plugins: [workerAddress(worker)],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([key, path]) => [key, join(ROOT, path)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  copyFileSync(join(ROOT, '.cache/worker.js'), worker);
  return outDir;
}
