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

test('inside the worker, import() of foreign code is refused and fetch is gone', async ({ playground, page, browserName }) => {
  test.skip(browserName !== 'chromium', 'Playwright evaluates in workers of Chromium only');
  await playground.run('return 1');
  await expect(playground.status('Completed')).toBeVisible();
  const [worker] = page.workers();
  const imported = await worker!.evaluate(async () => {
    const address = 'data:text/javascript,export default 1';
    return import(/* @vite-ignore */ address).then(
      () => 'loaded',
      (error: unknown) => String(error),
    );
  });
  expect(imported).not.toBe('loaded');
  const fetched = await worker!.evaluate(() => {
    try {
      void (globalThis as unknown as { fetch(address: string): Promise<unknown> }).fetch('/').catch(() => {});
      return 'called';
    } catch (error) {
      return String(error);
    }
  });
  expect(fetched).not.toBe('called');
});

test("a page without 'wasm-unsafe-eval' gets a clear error within ten seconds", async ({ page }) => {
  // Both files answer with a policy that allows scripts, but no WebAssembly.
  const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src data:";
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const html = (response.headers()['content-type'] ?? '').includes('html');
    await route.fulfill({
      response,
      body: html ? body.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '') : body,
      headers: { ...response.headers(), 'content-security-policy': policy },
    });
  });
  await page.goto('./');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.locator('.run-state').filter({ hasText: 'Failed' })).toBeVisible({ timeout: 10_000 });
  await expect(result).toContainText('wasm-unsafe-eval');
});
