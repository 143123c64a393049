import { expect, test } from './playground.ts';

test('the scripted model, labelled as scripted, writes a program, a person decides, and it answers with what came of it', async ({
  playground,
  page,
}) => {
  await playground.open('#chat');
  await expect(page.getByRole('button', { name: /^Model: .*scripted/i })).toBeVisible();
  await page
    .getByRole('tabpanel')
    .getByRole('button')
    .filter({ hasText: /refund/i })
    .first()
    .click();
  await expect(playground.dialog).toBeVisible({ timeout: 20_000 });
  await playground.deny('not today');
  await expect(page.getByRole('log')).toContainText('not today', { timeout: 20_000 });
});
