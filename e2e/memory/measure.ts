/** The most memory that a process ever held while it ran a shape: a process of Node, or the renderer of a page. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/browser.mjs';
import { WORKER_CSP } from '../../scripts/plugins/worker-file.ts';
import { bundleInto } from './bundle.ts';
import type { ShapeEnd } from './run-shape.ts';

export interface Measured extends ShapeEnd {
  /** The most that the process had resident, bytes. */
  readonly peakRss: number;
  /** What the page's own heap holds after the run when all garbage is gone, bytes. */
  readonly live: number;
}

export interface Meter extends AsyncDisposable {
  /** Runs the shape of that name in a process of its own. */
  measure(name: string): Promise<Measured>;
}

export async function nodeMeter(): Promise<Meter> {
  const folder = mkdtempSync(join(tmpdir(), 'codemode-memory-'));
  await bundleInto(folder, 'node-child');
  return {
    measure: async (name) => JSON.parse(await outputOf(['--expose-gc', join(folder, 'node-child.mjs'), name])) as Measured,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`The process ended with ${code}: ${errors}`)))),
  );
}

const PAGE = '<!doctype html><title>memory</title><script type="module" src="/page.mjs"></script>';

/** Linux only: the kernel keeps the peak of each process. */
export async function rendererMeter(): Promise<Meter> {
  const folder = mkdtempSync(join(tmpdir(), 'codemode-memory-'));
  await bundleInto(folder, 'page');
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    if (!/^\/[\w-]+\.m?js$/.test(path)) return response.writeHead(404).end();
    const policy = path === '/worker.js' ? { 'Content-Security-Policy': WORKER_CSP } : {};
    return response.writeHead(200, { 'Content-Type': 'text/javascript', ...policy }).end(readFileSync(join(folder, path)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const executablePath = await findChromium();
  return {
    async measure(name) {
      // A browser each: no renderer has a past.
      const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS });
      try {
        const page = await browser.newPage();
        await page.goto(address);
        await page.waitForFunction('globalThis.runShape !== undefined');
        const end = await page.evaluate<ShapeEnd>(`globalThis.runShape(${JSON.stringify(name)})`);
        const session = await browser.newBrowserCDPSession();
        const { processInfo } = await session.send('SystemInfo.getProcessInfo');
        const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => peakOf(id));
        const inspector = await page.context().newCDPSession(page);
        await inspector.send('HeapProfiler.collectGarbage');
        const { usedSize } = await inspector.send('Runtime.getHeapUsage');
        return { ...end, peakRss: Math.max(...renderers), live: usedSize };
      } finally {
        await browser.close();
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Bytes. */
function peakOf(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!line) throw new Error(`The kernel does not say how much memory process ${pid} had.`);
  return Number(line[1]) * 1024;
}
