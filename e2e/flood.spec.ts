/** CM-D24: a program with thousands of calls, while the trace is open and a person types. */
import { type Page, expect, test } from '@playwright/test';
import { serveSite } from '../scripts/site.mjs';

// In order: the site is built once for the file.
test.describe.configure({ mode: 'default' });

let site: Awaited<ReturnType<typeof serveSite>>;
test.beforeAll(async () => {
  site = await serveSite('e2e/flood', 'e2e-flood');
});
test.afterAll(() => site.close());

/** From each key to the frame that shows it, milliseconds; the middle one. */
async function typing(page: Page): Promise<number> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { keyTimes: times });
    document.querySelector('textarea')?.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)));
    });
  });
  for (let i = 0; i < 15; i++) await page.keyboard.type('a');
  return page.evaluate(async () => {
    const { keyTimes } = globalThis as unknown as { keyTimes: number[] };
    while (keyTimes.length < 15) await new Promise((resolve) => setTimeout(resolve, 20));
    return keyTimes.sort((a, b) => a - b)[7] ?? 0;
  });
}

const done = (page: Page) => page.evaluate(() => flood.session.store.getState().runs['run-1']?.calls.length ?? 0);

test('CM-D24: 5,000 calls leave the page its hands, and the trace is whole @alone @chromium', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(site.url);
  const calm = await typing(page);
  await page.evaluate(() => {
    const { session } = flood;
    const source = `await tools.file({}); for (let i = 0; i < 5000; i++) await tools.echo({ i }); return 'all'`;
    const run = session.run(source, { id: 'run-1', title: 'Flood' });
    session.journal.subscribe((event) => {
      if (event.type === 'tool_call.succeeded' && event.data.callId === 'run-1:4900') run.cancel('enough');
    });
  });
  await expect.poll(() => done(page), { intervals: [20] }).toBeGreaterThan(50);
  const busy = await typing(page);
  // A machine that is slow by itself is no fault of the trace.
  expect(busy).toBeLessThan(Math.max(100, 4 * calm));

  await expect
    .poll(() => page.evaluate(() => flood.session.store.getState().runs['run-1']?.status), { timeout: 60_000 })
    .toBe('cancelled');
  const count = await done(page);
  expect(count).toBeGreaterThanOrEqual(4_900);
  const tree = page.getByRole('tree');
  const fold = tree.getByRole('treeitem').filter({ hasText: /echo.*×/ });
  await expect(fold).toContainText('× 4899');
  await fold.click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await expect(tree.getByRole('treeitem').filter({ hasText: 'enough' })).toBeVisible();
  expect(await tree.getByRole('treeitem').count()).toBeLessThanOrEqual(300);
  expect(await page.locator('.cm-trace *').count()).toBeLessThan(5_000);

  await page.keyboard.press('Home');
  await tree.getByRole('treeitem').filter({ hasText: 'file' }).click();
  await expect(page.locator('.cm-trace')).toContainText('2 MB');
  const shown = await page.evaluate(() => document.querySelector('.cm-trace')?.textContent?.length ?? 0);
  expect(shown).toBeLessThan(100_000);
});
