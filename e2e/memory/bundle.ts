/** What a measured process runs: the public entries and the shapes, bundled as an application would. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { workerUrl } from '../../src/worker-url.ts';

/** Writes `<entry>.mjs` and `worker.js` into the folder. @param entry a file beside this one, without its ending */
export async function bundleInto(folder: string, entry: 'node-child' | 'page'): Promise<void> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await rolldown({
    input: { [entry]: join(here, `${entry}.ts`) },
    platform: entry === 'page' ? 'browser' : 'node',
    tsconfig: false,
    plugins: [
      {
        name: 'worker-url',
        load: (id) =>
          id.endsWith('/src/worker-url.ts') ? `export const workerUrl = new URL('./worker.js', import.meta.url);` : undefined,
      },
    ],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  copyFileSync(workerUrl, join(folder, 'worker.js'));
}
