import { expect, test } from './playground.ts';

/** Whether the order can still be cancelled does not matter here. */
const cancel = (orderId: number): string =>
  `return await tools.cancel_order({ orderId: ${orderId}, reason: 'asked by the customer' }).catch((e) => e.message);`;

test('a program is approved as a whole before it runs', async ({ playground, page }) => {
  await page.getByRole('button', { name: 'Approval' }).click();
  await page.getByRole('radio', { name: 'Ask about the program first' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await playground.run(cancel(11203));
  await expect(playground.dialog).toContainText('Run this program?');
  await expect(playground.dialog).toContainText('cancel_order');
  await playground.allow();
  await expect(playground.status('Completed')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Approval' }).click();
  await expect(page.getByRole('radio', { name: 'Ask about the program first' })).toBeChecked();
});

test('a permission for always outlives the visit, is listed, and asks again once it is revoked', async ({ playground, page }) => {
  await playground.run(cancel(11203));
  await playground.dialog.getByRole('combobox', { name: 'Allow how often' }).selectOption('Always: any input');
  await playground.allow();
  await expect(playground.status('Completed')).toBeVisible();
  await page.reload();
  await playground.run(cancel(11204));
  await expect(playground.status('Completed')).toBeVisible();
  await page.getByRole('button', { name: 'Approval' }).click();
  await expect(page.getByRole('dialog')).toContainText('cancel_order with any input, always, until revoked');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('No permission is in force');
  await page.getByRole('button', { name: 'Done' }).click();
  await playground.run(cancel(11205));
  await expect(playground.dialog).toContainText('11205');
});
