/** The dev server as a browser sees it. That this policy refuses `import()` is tested in browsers, in `e2e/worker-start`. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer, preview, type PreviewServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerUrl } from '../../src/worker-url.ts';
import { WORKER_CSP, WORKER_FILE, workerFile } from './worker-file.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let server: ViteDevServer;
let address: string;

const origin = ({ httpServer }: ViteDevServer | PreviewServer): string =>
  `http://127.0.0.1:${(httpServer!.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [workerFile()],
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, ws: false, watch: null },
  });
  await server.listen();
  address = origin(server);
});

afterAll(() => server.close());

describe('the dev server', () => {
  it.each(['worker.js', '.cache/worker.js', '.cache/worker.js?worker_file&type=module', 'deep/worker.js?v=1'])(
    'sends /%s as it was bundled, with the policy that closes it off',
    async (path) => {
      const response = await fetch(`${address}/${path}`);
      expect(response.headers.get('content-security-policy')).toBe(WORKER_CSP);
      expect(response.headers.get('content-type')).toContain('javascript');
      expect(await response.text()).toBe(readFileSync(WORKER_FILE, 'utf8'));
    },
  );

  it('puts that policy on nothing else', async () => {
    const response = await fetch(`${address}/src/errors.ts`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toBeNull();
  });

  it('serves the file under the address that the page asks for in dev', async () => {
    const path = fileURLToPath(workerUrl).slice(root.length).replaceAll('\\', '/');
    expect((await fetch(`${address}/${path}`)).headers.get('content-security-policy')).toBe(WORKER_CSP);
  });
});

it('a policy of its own has no room for modules, network or text', () => {
  expect(WORKER_CSP.split('; ')).toEqual(["default-src 'none'", "script-src 'wasm-unsafe-eval'"]);
});

it('preview sends it too, whatever hash the build gave the name', async () => {
  const built = await preview({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [workerFile()],
    build: { outDir: '.cache' },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const response = await fetch(`${origin(built)}/worker.js`);
  expect(response.headers.get('content-security-policy')).toBe(WORKER_CSP);
  const hashed = await fetch(`${origin(built)}/assets/worker-Ab_1x-9Z.js`);
  expect(hashed.headers.get('content-security-policy')).toBe(WORKER_CSP);
  await built.close();
});
