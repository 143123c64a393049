/** A real browser with pages that use the bridge, served with the headers a test asks for. Runs in Node. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, firefox } from 'playwright';
import { rolldown } from 'rolldown';
import { CHROMIUM_ARGS, findChromium, findFirefox } from '../../scripts/browser.mjs';
import type { ErrorCode } from '../../src/errors.ts';
import { workerUrl } from '../../src/worker-url.ts';

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Never answers. */
  readonly hang?: boolean;
}

export interface PageOptions {
  /** Headers of the page and its scripts. */
  readonly page?: Readonly<Record<string, string>>;
  /** The worker file; its text with status 200 by default. */
  readonly worker?: Answer;
  /** Options of `createWebWorkerExecutor`, as JSON. `$OTHER` is another origin that serves the same. */
  readonly executor?: Readonly<Record<string, unknown>>;
  /** Script of the page before anything else. */
  readonly before?: string;
  /** What the page runs with `executor`, `aRequest` and `aHost`. @default one run of `40 + 2` */
  readonly run?: string;
}

export interface PageResult {
  readonly status: string;
  readonly value?: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly data?: string };
}

export interface Pages extends AsyncDisposable {
  /** Opens a page, runs, closes it. */
  run(options?: PageOptions): Promise<PageResult>;
}

const ENTRY = `
import { createWebWorkerExecutor } from 'bridge/web-worker-executor.ts';
import { aRequest, aHost, after, never } from 'bridge/test-tools/requests.ts';
const { executor: options, run } = JSON.parse(document.getElementById('options').textContent);
const executor = createWebWorkerExecutor(options);
globalThis.tools = { executor, aRequest, aHost, after, never };
globalThis.ready = true;
`;

/** The page's code as the package ships it: the worker beside it, its text in a chunk of its own. */
async function bundlePage(workerText: string): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('../../src/bridge/', import.meta.url));
  const bundle = await rolldown({
    input: 'page-entry',
    tsconfig: false,
    plugins: [
      {
        name: 'page',
        resolveId: (id) =>
          id === 'page-entry' ? '\0page-entry.ts' : id.startsWith('bridge/') ? folder + id.slice('bridge/'.length) : undefined,
        load(id) {
          if (id === '\0page-entry.ts') return ENTRY;
          if (id.endsWith('/src/worker-url.ts')) return `export const workerUrl = new URL('./worker.js', import.meta.url);`;
          if (id.endsWith('/src/worker-source.ts'))
            return `export const workerSource = async () => ${JSON.stringify(workerText)};`;
          return undefined;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: 'page.js', chunkFileNames: '[name].js' });
  await bundle.close();
  return new Map(output.flatMap((part) => (part.type === 'chunk' ? [[`/${part.fileName}`, part.code] as const] : [])));
}

function listen(answer: (path: string) => Answer): Promise<Server> {
  const server = createServer((request, response) => {
    const { status = 200, type = 'text/javascript', body = '', headers = {}, hang } = answer(request.url ?? '/');
    if (hang) return;
    response.writeHead(status, { 'Content-Type': type, ...headers });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const origin = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export type BrowserEngine = 'chromium' | 'firefox';

async function launch(engine: BrowserEngine): Promise<Browser> {
  const executablePath = engine === 'firefox' ? findFirefox() : await findChromium();
  const path = executablePath ? { executablePath } : {};
  // Playwright drives a system Firefox over WebDriver BiDi under this channel.
  return engine === 'firefox'
    ? firefox.launch({ ...path, channel: 'moz-firefox' })
    : chromium.launch({ ...path, args: CHROMIUM_ARGS });
}

export async function openPages(engine: BrowserEngine): Promise<Pages> {
  const workerText = readFileSync(workerUrl, 'utf8');
  const files = await bundlePage(workerText);
  const browser = await launch(engine);
  let current: PageOptions = {};

  const serve = (path: string): Answer => {
    if (path === '/worker.js') return { body: workerText, ...current.worker };
    const code = files.get(path);
    if (code !== undefined) return { body: code, headers: { 'Access-Control-Allow-Origin': '*', ...current.page } };
    if (path === '/before.js') return { body: current.before ?? '' };
    if (path !== '/') return { status: 404, type: 'text/plain' };
    const options = JSON.stringify({ executor: current.executor ?? {} }).replaceAll('$OTHER', origin(other));
    return {
      type: 'text/html',
      headers: current.page ?? {},
      body: `<!doctype html><title>test</title><script type="application/json" id="options">${options}</script><script src="/before.js"></script><script type="module" src="/page.js"></script>`,
    };
  };
  const server = await listen(serve);
  const other = await listen(serve);

  return {
    async run(options = {}) {
      current = options;
      const page = await browser.newPage();
      try {
        await page.goto(`${origin(server)}/`);
        await page.waitForFunction('globalThis.ready === true');
        const work = options.run ?? `return executor.execute(aRequest('40 + 2'), aHost(), never())`;
        return await page.evaluate<PageResult>(
          `(async ({ executor, aRequest, aHost, after, never }) => { ${work} })(globalThis.tools)`,
        );
      } finally {
        await page.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      for (const each of [server, other]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
}
