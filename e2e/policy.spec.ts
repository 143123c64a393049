import type { Page } from '@playwright/test';
import { expect, test } from './playground.ts';

/** The address of the worker's file as the page asked for it. */
async function workerUrl(page: Page): Promise<string> {
  const found = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
  return found.find((name) => /\/worker(-[\w-]+)?\.js$/.test(name))!;
}

test('the page carries a policy without eval or inline scripts, and the worker one without network', async ({
  playground,
  page,
}) => {
  await playground.run('return 1');
  await expect(playground.status('Completed')).toBeVisible();
  const meta = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(meta).toContain("default-src 'none'");
  expect(meta).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(meta).not.toContain("'unsafe-eval'");
  expect(meta?.replace("style-src-attr 'unsafe-inline'", '')).not.toContain('unsafe-inline');
  const url = await workerUrl(page);
  const { headers, type } = await page.evaluate(async (address) => {
    const response = await fetch(address);
    return { headers: response.headers.get('content-security-policy'), type: response.headers.get('content-type') };
  }, url);
  expect(headers).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'");
  expect(type).toContain('javascript');
});

/** Code of our own behind the worker's real address and headers: what could a breached engine still do? */
const PROBE = `
const tried = {
  data: () => import('data:text/javascript,export default 1'),
  own: () => import(new URL('/index.html?module', location.href).href),
  blob: () => import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' }))),
  fetch: () => fetch('/'),
  eval: async () => (0, eval)('1'),
};
const told = await Promise.all(Object.entries(tried).map(async ([name, attempt]) => {
  try { await attempt(); return [name, 'worked']; } catch { return [name, 'refused']; }
}));
postMessage(Object.fromEntries(told));`;

test('the policy of the worker file refuses import(), fetch and eval', async ({ playground, page }) => {
  await playground.run('return 1');
  await expect(playground.status('Completed')).toBeVisible();
  const url = await workerUrl(page);
  const { headers } = await fetch(url);
  await page.route('**/probe.js', (route) => route.fulfill({ status: 200, headers: Object.fromEntries(headers), body: PROBE }));
  const told = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const worker = new Worker(new URL('probe.js', address), { type: 'module' });
        worker.addEventListener('message', (event) => resolve(event.data));
      }),
    url,
  );
  expect(told).toEqual({ data: 'refused', own: 'refused', blob: 'refused', fetch: 'refused', eval: 'refused' });
  // The refusals above are on the console, as they should be.
  playground.faults.length = 0;
});

test("a page without 'wasm-unsafe-eval' gets a clear error within ten seconds", async ({ page }) => {
  // Every file answers with a policy that allows scripts, but no WebAssembly.
  const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src data:";
  await page.route('**/*', async (route) => {
    const response = await fetch(route.request().url());
    const type = response.headers.get('content-type') ?? '';
    const body = (await response.text()).replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
    await route.fulfill({ status: response.status, body, headers: { 'content-type': type, 'content-security-policy': policy } });
  });
  await page.goto('./');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.locator('.run-state').filter({ hasText: 'Failed' })).toBeVisible({ timeout: 10_000 });
  await expect(result).toContainText('wasm-unsafe-eval');
});
