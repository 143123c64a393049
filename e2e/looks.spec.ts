import { expect, test, violationsInBoth } from './playground.ts';

const SENSITIVE = "return await tools.cancel_order({ orderId: 11203, reason: 'asked by the customer' });";

for (const view of ['Program', 'Chat', 'Trace'])
  test(`axe finds nothing in the view ${view}, light and dark`, async ({ playground, page }) => {
    await playground.run("console.log('hello'); return { orders: [{ id: 1, total: 12.5 }] };");
    await expect(playground.status('Completed')).toBeVisible();
    await page.getByRole('tab', { name: new RegExp(`^${view}`) }).click();
    expect(await violationsInBoth(page)).toEqual([]);
  });

test('axe finds nothing while the dialog is open, light and dark', async ({ playground, page }) => {
  await playground.run(SENSITIVE);
  await expect(playground.dialog.getByRole('button', { name: 'Allow once' })).toHaveAttribute('aria-disabled', 'false');
  expect(await violationsInBoth(page)).toEqual([]);
});

test('at 320 px nothing scrolls sideways, with and without the dialog', async ({ playground, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const sideways = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (const view of ['program', 'chat', 'trace']) {
    await playground.open(`#${view}`);
    expect(await sideways(), view).toBe(0);
  }
  await playground.open('#program');
  await playground.run(SENSITIVE);
  await expect(playground.dialog).toBeVisible();
  expect(await sideways()).toBe(0);
  const box = await playground.dialog.boundingBox();
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(320);
});
