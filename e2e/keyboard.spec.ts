import { expect, test } from './playground.ts';

test('a program is written, run, and its call decided without a mouse', async ({ playground, page }) => {
  const editor = page.getByRole('textbox', { name: 'Program text' });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(
    "return await tools.cancel_order({ orderId: 99, reason: 'asked by the customer' }).catch((e) => e.message);",
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(playground.dialog).toBeVisible();
  // Focus went into the dialog, and stays there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  const allow = playground.dialog.getByRole('button', { name: 'Allow once' });
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  for (let i = 0; i < 30 && !(await allow.evaluate((button) => button === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await expect(allow).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(playground.dialog).toBeHidden();
  await expect(playground.status('Completed')).toBeVisible();
});

test('Escape in the dialog decides nothing', async ({ playground, page }) => {
  await playground.run("return await tools.refund_order({ orderId: 11203, amount: 5, reason: 'late delivery' });");
  await expect(playground.dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(playground.status('Waiting for you')).toBeVisible();
});

test('the three views are reached by arrow keys', async ({ playground, page }) => {
  const views = page.getByRole('tablist', { name: 'View' });
  await views.getByRole('tab', { name: 'Program' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(views.getByRole('tab', { name: 'Chat' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('End');
  await expect(views.getByRole('tab', { name: 'Trace' })).toHaveAttribute('aria-selected', 'true');
  await expect(playground.trace).toBeVisible();
});
