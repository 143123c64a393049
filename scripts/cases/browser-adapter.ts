/** The harness's adapter for Chromium: the product on a page, the harness's handlers in Node. */
import { type Browser, type Page, chromium } from 'playwright';
import * as valibot from 'valibot';
import * as zod from 'zod';
import * as zod3 from 'zod3';
import { CHROMIUM_ARGS } from '../browser.mjs';
import { type Adapter, stub, toolExpr } from './adapter.ts';
import type { CaseResult, CaseRun, CaseTool } from './harness-types.ts';
import type { PageRun, PageTool } from './page/main.ts';
import { decode, encode } from './transfer.ts';

const runs = new Map<number, CaseRun>();
const calls = new Map<number, AbortController>();
let lastRun = 0;

interface Standard {
  validate(value: unknown): unknown;
}

const standardOf = (schema: unknown): Standard | undefined => (schema as { '~standard'?: Standard } | undefined)?.['~standard'];

/** JSON Schema of a schema library's object, where it can say one. */
function jsonSchemaOf(schema: unknown): unknown {
  try {
    return zod.z.toJSONSchema(schema as zod.ZodType, { unrepresentable: 'any', io: 'input' });
  } catch {
    return { type: 'object' };
  }
}

function toPageTool(tool: CaseTool): PageTool {
  const foreign = standardOf(tool.inputSchema) !== undefined;
  return {
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(tool.inputSchema === undefined
      ? {}
      : { inputSchema: encode(foreign ? jsonSchemaOf(tool.inputSchema) : tool.inputSchema) }),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: encode(tool.outputSchema) }),
    validatesInNode: foreign,
    ...(tool.sensitive ? { sensitive: true } : {}),
    ...(tool.mcp ? { mcp: true } : {}),
  };
}

async function handle(run: number, tool: string, call: number, input: string): Promise<{ ok: string } | { error: string }> {
  const controller = new AbortController();
  calls.set(call, controller);
  try {
    return { ok: encode(await runs.get(run)!.tools[tool]!.handler(decode(input), { signal: controller.signal })) };
  } catch (error) {
    return { error: encode(error) };
  } finally {
    calls.delete(call);
  }
}

async function openPage(): Promise<{ browser: Browser; page: Page }> {
  const { CASES_CHROMIUM, CASES_URL } = process.env;
  const browser = await chromium.launch({ ...(CASES_CHROMIUM ? { executablePath: CASES_CHROMIUM } : {}), args: CHROMIUM_ARGS });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error('page:', error));
  await page.exposeFunction('nodeHandler', handle);
  await page.exposeFunction('nodeAborted', (call: number) => calls.get(call)?.abort());
  await page.exposeFunction('nodeValidate', async (run: number, tool: string, value: string) =>
    encode(await standardOf(runs.get(run)!.tools[tool]!.inputSchema)!.validate(decode(value))),
  );
  await page.exposeFunction('nodeApproval', async (run: number, request: string) =>
    encode(await runs.get(run)!.onApproval(decode(request) as Parameters<CaseRun['onApproval']>[0])),
  );
  await page.goto(CASES_URL!);
  await page.waitForFunction(() => 'cases' in window);
  return { browser, page };
}

async function runOnPage(page: Page, session: number, run: CaseRun): Promise<CaseResult> {
  const id = ++lastRun;
  runs.set(id, run);
  const abort = (): void => void page.evaluate((number) => window.cases.abort(number), id);
  if (run.signal.aborted) abort();
  run.signal.addEventListener('abort', abort);
  const spec: PageRun = {
    run: id,
    code: run.code,
    options: run.options,
    tools: Object.fromEntries(Object.entries(run.tools).map(([name, tool]) => [name, toPageTool(tool)])),
  };
  const text = await page.evaluate(([number, given]) => window.cases.run(number, given), [session, spec] as const);
  return decode(text) as CaseResult;
}

let opened: ReturnType<typeof openPage> | undefined;

const adapter: Adapter = {
  requireFrom: import.meta.url,
  libs: { zod: zod.z, zod3: zod3.z, valibot },
  async session() {
    // A page for each record: nothing of one reaches the next. The harness ends the process, and with it the browser.
    const previous = await opened;
    const browser = previous?.browser;
    opened = browser ? reopen(browser, previous.page) : openPage();
    const { page } = await opened;
    const session = await page.evaluate(() => window.cases.open());
    return {
      toolExpr,
      stub,
      run: (run) => runOnPage(page, session, run),
      killWorker: () => page.evaluate(() => window.cases.killWorker()),
      dispose: () => page.evaluate((number) => window.cases.dispose(number), session),
    };
  },
};

async function reopen(browser: Browser, page: Page): Promise<{ browser: Browser; page: Page }> {
  await page.reload();
  await page.waitForFunction(() => 'cases' in window);
  return { browser, page };
}

export default adapter;
