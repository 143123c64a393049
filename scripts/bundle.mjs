// Bundles TypeScript that a script runs in Node, because Node 20 cannot load it as it is. Packages stay outside.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './setup.mjs';

/** The package's public specifiers, as its sources. */
export const ALIASES = [
  { find: 'react-code-mode/styles.css', replacement: join(ROOT, 'src/react/styles.css') },
  { find: /^react-code-mode\/(?!worker\.js)(.+)$/, replacement: join(ROOT, 'src/$1.ts') },
  { find: /^react-code-mode$/, replacement: join(ROOT, 'src/index.ts') },
];

/**
 * @param {string} name of the folder under .cache
 * @param {Record<string, string>} entries output name → source, relative to the repository
 * @returns {Promise<string>} the folder with one `.mjs` an entry
 */
export async function bundleForNode(name, entries) {
  const outDir = join(ROOT, '.cache', name);
  mkdirSync(outDir, { recursive: true });
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: ALIASES },
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
  return outDir;
}
