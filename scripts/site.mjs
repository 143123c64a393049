// Builds a page of the repository with the playground's Vite configuration, and serves it.
import { join } from 'node:path';
import { build, preview } from 'vite';
import { ROOT } from './setup.mjs';

/** Workers of Playwright build at the same time, each for itself. */
const suffix = process.env.TEST_PARALLEL_INDEX ? `-${process.env.TEST_PARALLEL_INDEX}` : '';

/**
 * @param {string} folder of index.html, relative to the repository
 * @param {string} name of the output under .cache
 * @param {{ development?: boolean, pages?: string[] }} [options] `development`: React with its warnings and StrictMode's second mount; `pages`: more than index.html
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveSite(folder, name, { development = false, pages = ['index.html'] } = {}) {
  const shared = /** @type {const} */ ({
    configFile: join(ROOT, 'vite.config.ts'),
    root: join(ROOT, folder),
    logLevel: 'warn',
    ...(development && { define: { 'process.env.NODE_ENV': '"development"' } }),
    build: {
      outDir: join(ROOT, '.cache', name + suffix),
      emptyOutDir: true,
      rolldownOptions: { input: pages.map((page) => join(ROOT, folder, page)), checks: { pluginTimings: false } },
    },
  });
  await build(shared);
  const server = await preview({ ...shared, preview: { port: 0, host: 'localhost' } });
  const address = server.httpServer.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://localhost:${port}/`, close: () => server.close() };
}
