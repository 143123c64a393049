/** An application in StrictMode, with React's warnings on: cases D22 and D26. */
import { expect, test } from './approval-page.ts';

test.describe('StrictMode @once @chromium', () => {
  const faults: string[] = [];

  test.beforeEach(async ({ page }) => {
    faults.length = 0;
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    await page.addInitScript(() => {
      const Original = Worker;
      const workers = { made: 0, ended: 0 };
      Object.assign(globalThis, { workers });
      globalThis.Worker = class extends Original {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given);
          workers.made += 1;
        }
        override terminate(): void {
          workers.ended += 1;
          super.terminate();
        }
      };
    });
  });

  test('D22: handlers run once per run, of an effect as of an event; one worker stays after mounting twice', async ({
    page,
    site,
  }) => {
    await page.goto(`${site}strict.html`);
    await expect(page.locator('[data-payments]')).toHaveText('succeeded');
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page.locator('[data-payments]')).toHaveText('succeeded succeeded');
    expect(await page.evaluate(() => seen.ran)).toEqual([{ from: 'effect' }, { from: 'event' }]);
    await page.goto(`${site}strict.html?idle`);
    const alive = (): Promise<number> =>
      page.evaluate(() => {
        const { workers } = globalThis as unknown as { workers: { made: number; ended: number } };
        return workers.made - workers.ended;
      });
    await expect.poll(alive).toBe(1);
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page.locator('[data-payments]')).toHaveText('succeeded');
    expect(faults).toEqual([]);
  });

  test('D26: a selector that returns a new array neither loops nor warns, and renders when its slice changes only', async ({
    page,
    site,
  }) => {
    await page.goto(`${site}strict.html`);
    await expect(page.locator('[data-payments]')).toHaveText('succeeded');
    const before = await page.evaluate(() => seen.renders);
    await page.getByRole('button', { name: 'Look' }).click();
    await expect(page.locator('[data-runs]')).toHaveText('completed completed');
    expect(await page.evaluate(() => seen.renders)).toBe(before);
    expect(before).toBeLessThan(12);
    expect(faults).toEqual([]);
  });
});
