/** Every decision, by keyboard alone, against a real session. */
import { expect, test } from './approval-page.ts';

const TRANSFER = "return await tools.payments.transfer({ to: 'ACME', amount: 40, currency: 'EUR' });";

/** A short period where the period is not the subject. */
const QUICK = 'guard=120';

test.describe('decisions @once', () => {
  test('by keyboard: allow, deny with a reason, edit, stop the run', async ({ approval, page }) => {
    await approval.open(QUICK);
    await approval.ask(TRANSFER, 'allow');
    await approval.ready();
    await approval.tabTo(approval.allow);
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('allow')).toBe('completed');

    await approval.ask(TRANSFER.replace('return await', 'return').replace(';', '.catch((error) => error.message);'), 'deny');
    await approval.tabTo(approval.action('deny-open'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('wrong payee');
    await approval.ready(approval.action('deny'));
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('deny')).toBe('completed');
    expect(await page.evaluate(() => JSON.stringify(desk.session.store.getState().runs['deny']?.value))).toContain('wrong payee');

    await approval.ask(TRANSFER, 'edit');
    await approval.tabTo(approval.action('edit'));
    await page.keyboard.press('Enter');
    await expect(approval.dialog.getByLabel('to', { exact: true })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2000');
    await expect(approval.dialog.getByText('1 change', { exact: true })).toBeVisible();
    await approval.tabTo(approval.action('allow-edited'));
    await approval.ready(approval.action('allow-edited'));
    await page.keyboard.press('Enter'); // more than the schema allows
    await expect(approval.dialog.getByLabel('amount')).toBeFocused();
    await expect(approval.dialog.getByLabel('amount')).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('20');
    await approval.tabTo(approval.action('allow-edited'));
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('edit')).toBe('completed');
    expect((await approval.ran()).map(({ input }) => input)).toEqual([
      { to: 'ACME', amount: 40, currency: 'EUR' },
      { to: 'ACME', amount: 20, currency: 'EUR' },
    ]);

    await approval.ask(TRANSFER, 'stop');
    await approval.ready(approval.action('stop'));
    await approval.tabTo(approval.action('stop'));
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('stop')).toBe('cancelled');
    expect(await approval.ran()).toHaveLength(2);
  });

  test('by keyboard: a queue of three, one allowed, the others together; allow for the run ends the asking', async ({
    approval,
    page,
  }) => {
    await approval.open(QUICK);
    const call = (to: string): string => `tools.payments.transfer({ to: '${to}', amount: 1 })`;
    await approval.ask(`return await Promise.all([${['a', 'b', 'c'].map(call).join(', ')}]);`, 'three');
    await expect(approval.action('queue')).toHaveText('1 of 3');
    await approval.ready();
    await approval.tabTo(approval.allow);
    await page.keyboard.press('Enter');
    await expect(approval.dialog).toContainText('Transfer 1.00 EUR to b?');
    expect(await approval.focused()).toBe('H2');
    await approval.tabTo(approval.action('queue'));
    await page.keyboard.press('Enter');
    await approval.ready(approval.action('allow-all'));
    await approval.tabTo(approval.action('allow-all'));
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('three')).toBe('completed');

    await approval.ask(
      `for (const to of ['d', 'e', 'f']) await tools.payments.transfer({ to, amount: 2 }); return 'all';`,
      'loop',
    );
    await approval.tabTo(approval.dialog.getByRole('combobox', { name: 'Allow how often' }));
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowDown');
    await expect(approval.dialog).toContainText(
      'Will run without asking: payments.transfer with any input, for the rest of this run.',
    );
    await approval.ready();
    await approval.tabTo(approval.allow);
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('loop')).toBe('completed');
    expect(await approval.ran()).toHaveLength(6);
    await approval.ask("return await tools.payments.transfer({ to: 'g', amount: 3 });", 'next run asks again');
  });
});

test.describe('decisions @once @chromium', () => {
  test('a rule in words lets go what it covers, asks about the rest, is listed and revoked', async ({ approval, page }) => {
    await approval.open(`${QUICK}&view=grants&stores`);
    await approval.ask(TRANSFER, 'first');
    await approval.dialog.getByRole('combobox', { name: 'Allow how often' }).selectOption('always:rule');
    await approval.retype(approval.dialog.getByLabel('Value for amount'), '50');
    await expect(approval.dialog).toContainText('payments.transfer where amount <= 50, always, until revoked');
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome('first')).toBe('completed');
    expect(await page.evaluate(() => desk.kept.map(({ words }) => words))).toEqual([
      'payments.transfer where amount <= 50, always',
    ]);
    await approval.start("return await tools.payments.transfer({ to: 'X', amount: 50 });", 'covered');
    await expect.poll(() => approval.outcome('covered')).toBe('completed');
    await approval.ask("return await tools.payments.transfer({ to: 'X', amount: 51 });", 'beyond');
    await page.keyboard.press('Escape');
    const list = page.getByRole('region', { name: 'Permissions' });
    await expect(list.getByRole('listitem')).toContainText('payments.transfer where amount <= 50, always, until revoked');
    await expect(list.getByRole('listitem')).toContainText('let 1 call go');
    await list.getByRole('button', { name: /^Revoke/ }).click();
    await expect(list).toContainText('No permission is in force');
    expect(await page.evaluate(() => desk.kept)).toEqual([]);
  });

  test('a program as a whole: shown with its tools, allowed it runs; a danger in it is asked about; call by call asks each', async ({
    approval,
    page,
  }) => {
    await approval.open(`${QUICK}&plan=ask`);
    const program = `const orders = await tools.orders.list({});
await tools.payments.transfer({ to: 'ACME', amount: 1 });
return await tools.payments.refund({ orderId: orders[0].id, amount: 1 });`;
    await approval.ask(program, 'plan');
    await expect(approval.dialog).toContainText('Run this program?');
    await expect(approval.dialog.getByRole('listitem')).toHaveText([
      /orders\.list.*line 1/,
      /payments\.transfer.*line 2/,
      /payments\.refund.*line 3.*asked about each time/,
    ]);
    expect(await approval.ran()).toEqual([]);
    await approval.ready(approval.action('allow-plan'));
    await approval.tabTo(approval.action('allow-plan'));
    await page.keyboard.press('Enter');
    await expect(approval.dialog).toContainText('Refund 1.00 EUR for order #7?');
    expect((await approval.ran()).map(({ tool }) => tool)).toEqual(['orders.list', 'payments.transfer']);
    await approval.press(approval.action('stop'));
    await expect.poll(() => approval.outcome('plan')).toBe('cancelled');

    await approval.ask("const name = 'pa' + 'y'; return await tools[name]({ amount: 1 });", 'computed');
    await expect(approval.dialog).toContainText('it may call any of 17 tools');
    await approval.press(approval.action('call-by-call'));
    await expect(approval.dialog).toContainText('Run pay?');
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome('computed')).toBe('completed');

    await approval.ask(program, 'denied');
    await approval.action('deny-open').click();
    await page.keyboard.type('not now');
    await approval.ready(approval.action('deny'));
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome('denied')).toBe('cancelled');
  });

  test('a run is undone from its trace, last call first, each asked about @full', async ({ approval }) => {
    await approval.open(`${QUICK}&view=trace`);
    await approval.ask(
      `await tools.orders.cancel({ orderId: 1, reason: 'late' }); return await tools.orders.cancel({ orderId: 2, reason: 'late' });`,
    );
    await expect(approval.dialog).toContainText('Can be undone afterwards');
    await approval.press(approval.allow);
    await expect(approval.dialog).toContainText('order #2');
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome()).toBe('completed');
    await approval.action('undo-open').click();
    await approval.action('undo').click();
    await expect(approval.dialog).toContainText('Cancel order #2?');
    await expect(approval.dialog).toContainText('Takes back what orders.cancel did with this input.');
    await expect(approval.action('edit')).toBeHidden();
    await approval.press(approval.allow);
    await expect(approval.dialog).toContainText('Cancel order #1?');
    await approval.press(approval.allow);
    await expect.poll(async () => (await approval.ran()).length).toBe(4);
    expect((await approval.ran()).slice(2)).toEqual([
      { tool: 'orders.cancel, taken back', input: { orderId: 2, reason: 'late' } },
      { tool: 'orders.cancel, taken back', input: { orderId: 1, reason: 'late' } },
    ]);
  });

  test('D20: the surface unmounts while it asks and comes back with the same question; one decision, one call', async ({
    approval,
    page,
  }) => {
    for (const view of ['dialog', 'inline']) {
      await approval.open(`${QUICK}&view=${view}&mount=tab`);
      await approval.start(TRANSFER);
      const surface = page.locator('[data-cm-dialog]');
      await expect(surface).toContainText('Transfer 40.00 EUR to ACME?');
      const tab = (name: string): Promise<void> =>
        page.getByRole('button', { name, exact: true, includeHidden: true }).evaluate((button: HTMLElement) => button.click());
      await tab('Other');
      await expect(surface).toBeHidden();
      expect(await approval.pending()).toHaveLength(1);
      await tab('Chat');
      await expect(surface).toContainText('Transfer 40.00 EUR to ACME?');
      await expect(surface.locator('[data-part="value"]')).toContainText('40');
      await approval.press(approval.allow);
      await expect.poll(() => approval.outcome()).toBe('completed');
      await tab('Other');
      await tab('Chat');
      await expect(page.getByText('1 runs')).toBeVisible();
      await expect(approval.allow).toBeHidden();
      if (view === 'inline')
        await expect(page.locator('[data-part="decided"]')).toHaveText('Transfer 40.00 EUR to ACME? allowed');
      expect(await approval.ran()).toHaveLength(1);
    }
  });

  test('inline: asks in the transcript, takes no focus, decides by the same rules; the dialog keeps out until it is asked to review', async ({
    approval,
    page,
  }) => {
    await approval.open(`${QUICK}&view=inline`);
    await approval.composer.focus();
    await approval.start(TRANSFER);
    const inline = page.locator('[data-cm-inline] [data-cm-dialog]');
    await expect(inline).toContainText('Transfer 40.00 EUR to ACME?');
    await expect(approval.composer).toBeFocused();
    await expect(approval.dialog).toBeHidden();
    await approval.tabTo(approval.allow, 'Shift+Tab');
    await approval.ready();
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome()).toBe('completed');
    await expect(page.locator('[data-part="decided"]')).toContainText('allowed');
  });
});
