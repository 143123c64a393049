// Builds the pages of the benchmark and serves them as a well-kept server would: files with a hash are kept for ever.
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../setup.mjs';
import { bundlePeers } from './peers.mjs';

const OUT = join(ROOT, '.cache/bench-site');
/** Each is an application of its own: what one of them shares with another must not be put into the other's files. */
const PAGES = ['page', 'cold', 'trace'];

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' };
const WORKER = /\/worker(-[\w-]+)?\.js$/;
const WORKER_CSP = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** @type {string[]} */
const sent = [];

/**
 * The playground's policy forbids what the peers need: scripts in frames, eval.
 * @type {import('vite').Plugin}
 */
const withoutPolicy = {
  name: 'without-policy',
  transformIndexHtml: { order: 'post', handler: (html) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '') },
};

/**
 * @param {boolean} peers
 * @returns {Promise<{ url: string, failedPeers: Map<string, string>, served(): string[], close(): void }>} `served`: files sent since it was last asked
 */
export async function serveBench(peers) {
  rmSync(OUT, { recursive: true, force: true });
  for (const page of PAGES)
    await build({
      configFile: join(ROOT, 'vite.config.ts'),
      root: join(ROOT, 'bench', page),
      base: './',
      logLevel: 'warn',
      plugins: [withoutPolicy],
      build: { outDir: join(OUT, page), rolldownOptions: { checks: { pluginTimings: false } } },
    });
  const failedPeers = peers ? await bundlePeers(join(OUT, 'page/peers')) : new Map();
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://localhost:${port}`, failedPeers, served: () => sent.splice(0), close: () => void server.close() };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function answer(request, response) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = join(OUT, normalize(decodeURIComponent(pathname)));
  if (!file.startsWith(OUT) || !existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
  sent.push(file);
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', type === 'text/html' ? 'no-cache' : 'public, max-age=31536000, immutable');
  if (WORKER.test(pathname)) response.setHeader('Content-Security-Policy', WORKER_CSP);
  createReadStream(file).pipe(response);
}
