/** The worker as one file: written to `.cache/worker.js` and served with the headers that close it off. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { bundleWorker } from '../build-worker.ts';

export const WORKER_FILE: string = join(dirname(fileURLToPath(import.meta.url)), '../../.cache/worker.js');

/** A file worker obeys the policy of its own response: no network, no further script, WebAssembly only. */
export const WORKER_CSP = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** Bundles the worker into `.cache/worker.js`. Others may read the file meanwhile, so it is replaced in one step. */
export async function writeWorker(): Promise<void> {
  const code = await bundleWorker();
  await mkdir(dirname(WORKER_FILE), { recursive: true });
  const draft = `${WORKER_FILE}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, WORKER_FILE);
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split(/[?#]/)[0] ?? '';
const isWorker = (path: string): boolean => /\/worker(-[\w-]+)?\.js$/.test(path);

type Next = (error?: unknown) => void;

function addPolicy(request: IncomingMessage, response: ServerResponse, next: Next): void {
  if (isWorker(pathOf(request))) response.setHeader('Content-Security-Policy', WORKER_CSP);
  next();
}

/** Dev sends the file as it was bundled: Vite's own transforms would add imports that the policy forbids. */
function serveWorker(request: IncomingMessage, response: ServerResponse, next: Next): void {
  if (!pathOf(request).endsWith('/worker.js')) return next();
  readFile(WORKER_FILE)
    .then((code) => {
      response.setHeader('Content-Type', 'text/javascript');
      response.setHeader('Cache-Control', 'no-store');
      response.end(code);
    })
    .catch(next);
}

/** Builds the worker first, serves it in dev, and sends its policy in dev and preview. */
export function workerFile(): Plugin {
  return {
    name: 'react-code-mode:worker-file',
    async buildStart() {
      // Tests build it once for all projects, in their global setup.
      if (process.env.VITEST === undefined) await writeWorker();
    },
    configureServer(server) {
      server.middlewares.use(addPolicy);
      server.middlewares.use(serveWorker);
    },
    configurePreviewServer(server) {
      server.middlewares.use(addPolicy);
    },
  };
}
