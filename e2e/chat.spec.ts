import { expect, test, violationsInBoth } from './playground.ts';

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
  // The message asks; nothing covers the conversation.
  const question = page.getByRole('log').getByRole('group', { name: /refund_order/ });
  await expect(question).toBeVisible({ timeout: 20_000 });
  await expect(playground.dialog).toBeHidden();
  await playground.deny('not today', question);
  await expect(page.getByRole('log')).toContainText('not today', { timeout: 20_000 });
});

test('axe finds nothing while a message asks, light and dark', async ({ playground, page }) => {
  await playground.open('#chat');
  const examples = page.getByRole('tabpanel').getByRole('button');
  await examples
    .filter({ hasText: /refund/i })
    .first()
    .click();
  const question = page.getByRole('log').getByRole('group', { name: /refund_order/ });
  await expect(question.getByRole('button', { name: /allow/i }).first()).toHaveAttribute('aria-disabled', 'false', {
    timeout: 20_000,
  });
  expect(await violationsInBoth(page)).toEqual([]);
});
