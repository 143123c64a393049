/** Nobody decides by accident (real keys and pointers, in each browser). Numbers: where the rule stands in the design, section 3. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './approval-page.ts';

const TRANSFER = "return await tools.payments.transfer({ to: 'ACME', amount: 40, currency: 'EUR' });";
const REFUND = 'return await tools.payments.refund({ orderId: 7, amount: 12 });';
const TWO = `return await Promise.all([tools.orders.cancel({ orderId: 1, reason: 'late' }), tools.orders.cancel({ orderId: 2, reason: 'late' })]);`;

/** A period that is not over while a test runs, however slow the machine. */
const ENDLESS = 'guard=600000';

/** Real events at a place, whatever is there. */
async function middleOf(target: Locator): Promise<readonly [x: number, y: number]> {
  const box = (await target.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function clickAt(page: Page, [x, y]: readonly [number, number]): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}

/** Playwright's own key press carries no text with Alt, and Chromium looks for the access key in the text. */
async function accessKey(page: Page, key: string): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page);
  return async () => {
    const facts = {
      modifiers: 1,
      key,
      text: key,
      unmodifiedText: key,
      code: `Key${key.toUpperCase()}`,
      windowsVirtualKeyCode: 81,
    };
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', ...facts });
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...facts });
  };
}

test.describe('accidental approval @once', () => {
  test('first focus is the question; a click as the dialog opens decides nothing, one after the period does', async ({
    approval,
    page,
  }) => {
    await approval.open(ENDLESS);
    await approval.ask(TRANSFER);
    expect(await approval.focused()).toBe('H2');
    await clickAt(page, await middleOf(approval.allow));
    expect(await approval.pending()).toHaveLength(1);
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome()).toBe('completed');
    expect(await approval.ran()).toEqual([{ tool: 'payments.transfer', input: { to: 'ACME', amount: 40, currency: 'EUR' } }]);
  });

  test('Enter held down since before the dialog never allows, wherever the focus is by then; a fresh press does', async ({
    approval,
    page,
  }) => {
    await approval.open();
    await page.getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.down('Enter');
    await approval.ask(TRANSFER);
    await approval.ready();
    await approval.allow.focus();
    for (let at = 0; at < 4; at += 1) await page.keyboard.down('Enter'); // repeats: it is down already
    await page.keyboard.up('Enter');
    expect(await approval.pending()).toHaveLength(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome()).toBe('completed');
  });

  test('a click that a script makes never decides, with all the properties of a real one', async ({ approval }) => {
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.ready();
    await approval.allow.evaluate((button: HTMLElement) => {
      button.click();
      for (const type of ['pointerdown', 'pointerup', 'click'])
        button.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', isPrimary: true }));
      button.focus();
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    expect(await approval.pending()).toHaveLength(1);
    expect(await approval.ran()).toEqual([]);
  });

  test('the buttons stand still while content loads; a pointer that went down before the dialog came decides nothing', async ({
    approval,
    page,
  }) => {
    await approval.open('held');
    await approval.ask(TRANSFER);
    await expect(approval.dialog).toContainText('Reading the input');
    const before = await approval.allow.boundingBox();
    const places = await approval.allow.evaluateHandle((button) => {
      const seen = new Set<string>();
      const look = (): void => {
        const { x, y, width, height } = button.getBoundingClientRect();
        seen.add([x, y, width, height].join(' '));
        requestAnimationFrame(look);
      };
      look();
      return seen;
    });
    await page.evaluate(() => desk.release());
    await approval.ready();
    expect(await places.evaluate((seen) => [...seen]), 'in each frame the same place').toHaveLength(1);
    await expect(approval.dialog).not.toContainText('Reading the input');
    expect(await approval.allow.boundingBox()).toEqual(before);
    const place = await middleOf(approval.allow);
    await page.keyboard.press('Escape');
    await page.mouse.move(...place);
    await page.mouse.down();
    await page.evaluate(() => document.querySelector<HTMLElement>('[data-action="review"]')!.click());
    await approval.ready();
    await page.mouse.up();
    expect(await approval.ran()).toEqual([]);
  });

  test('what covers Allow takes its clicks, and where the browser can tell Allow waits', async ({
    approval,
    page,
    browserName,
  }) => {
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.ready();
    const cover = (pointerEvents: string): Promise<void> =>
      approval.dialog.evaluate((dialog, events) => {
        const overlay = document.createElement('div');
        overlay.id = 'overlay';
        overlay.setAttribute('style', `position:fixed;inset:0;background:#fffd;z-index:9;pointer-events:${events}`);
        dialog.append(overlay);
      }, pointerEvents);
    await cover('auto');
    await clickAt(page, await middleOf(approval.allow));
    expect(await approval.ran()).toEqual([]);
    await page.locator('#overlay').evaluate((overlay) => overlay.remove());
    if (browserName === 'chromium') {
      await cover('none');
      await expect(approval.dialog).toContainText('Something covers this button');
      await clickAt(page, await middleOf(approval.allow));
      expect(await approval.ran()).toEqual([]);
      await page.locator('#overlay').evaluate((overlay) => overlay.remove());
    }
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome()).toBe('completed');
  });

  test('a double click decides one of two calls; the next one begins a new period', async ({ approval, page }) => {
    await approval.open();
    await approval.ask(TWO);
    await approval.ready();
    const [x, y] = await middleOf(approval.allow);
    await page.mouse.dblclick(x, y);
    await expect(approval.dialog).toContainText('Cancel order #2?');
    expect(await approval.pending()).toHaveLength(1);
    expect((await approval.ran()).length).toBeLessThanOrEqual(1);
    await approval.press(approval.allow);
    await expect.poll(() => approval.outcome()).toBe('completed');
    expect(await approval.ran()).toHaveLength(2);
  });

  test('a double click on “Deny…” does not deny: the buttons behind it begin a new period', async ({ approval, page }) => {
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.ready();
    const [x, y] = await middleOf(approval.action('deny-open'));
    await page.mouse.dblclick(x, y);
    await expect(approval.dialog.getByRole('button', { name: 'Back' }).or(approval.action('deny-open')).first()).toBeVisible();
    expect(await approval.pending()).toHaveLength(1);
  });

  test('a click that comes after the run ended says so and changes nothing', async ({ approval, page }) => {
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.ready();
    const place = await middleOf(approval.allow);
    await page.evaluate(() => desk.session.decide('run-1:1', { kind: 'cancelRun' }));
    await page.evaluate(() => desk.session.run('return await tools.pay({ amount: 1 })', { id: 'run-2' }) && undefined);
    await clickAt(page, place);
    expect(await approval.ran()).toEqual([]);
  });

  test('an approval that expired says so, and its place decides nothing', async ({ approval, page }) => {
    await approval.open('expires=1800');
    await approval.ask(TRANSFER);
    await approval.ready();
    const place = await middleOf(approval.allow);
    await expect(approval.dialog).toContainText('This approval has expired');
    await clickAt(page, place);
    await approval.action('close').click();
    await expect(approval.dialog).toBeHidden();
    expect(await approval.ran()).toEqual([]);
  });

  test('while somebody types the bar comes, not the dialog; the text is kept; it opens when typing stops', async ({
    approval,
    page,
  }) => {
    await approval.open();
    await approval.composer.focus();
    const surfaces = (): Promise<{ bar: boolean; dialog: boolean }> =>
      page.evaluate(() => ({
        bar: document.querySelector('[data-part="bar"]') !== null,
        dialog: document.querySelector('dialog') !== null,
      }));
    let typed = '';
    for (let seen = await surfaces(); !seen.bar; seen = await surfaces()) {
      expect(seen.dialog).toBe(false);
      await page.keyboard.press('x');
      typed += 'x';
      if (typed === 'xx') await approval.start(TRANSFER);
    }
    await expect(page.locator('[data-part="bar"]')).toContainText('Opens when you stop typing');
    await page.keyboard.press('Enter'); // goes into the composer
    await expect(approval.dialog).toBeVisible();
    expect(await approval.composer.inputValue()).toBe(`${typed}\n`);
    expect(await approval.pending()).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect(approval.composer).toBeFocused();
    await page.keyboard.type('!');
    expect(await approval.composer.inputValue()).toBe(`${typed}\n!`);
  });

  test('pointer down elsewhere and up on Allow, or down on Allow and up elsewhere, decides nothing', async ({
    approval,
    page,
  }) => {
    await approval.open();
    await approval.ask(TRANSFER);
    await approval.ready();
    const [allow, edit] = [await middleOf(approval.allow), await middleOf(approval.action('edit'))];
    for (const [from, to] of [
      [edit, allow],
      [allow, edit],
    ] as const) {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
    }
    expect(await approval.ran()).toEqual([]);
    await expect(approval.dialog).toHaveAttribute('data-panel', 'ask');
  });

  test('a trusted click without a pointer (assistive technology) decides once the period is over, not before', async ({
    approval,
    page,
    browserName,
  }) => {
    await approval.open(ENDLESS);
    await approval.ask(TRANSFER);
    // An access key is the one way to a trusted click without pointer and without a press on the button.
    const name = (): Promise<void> => approval.allow.evaluate((button) => button.setAttribute('accesskey', 'q'));
    await name();
    const click = browserName === 'firefox' ? () => page.keyboard.press('Alt+Shift+KeyQ') : await accessKey(page, 'q');
    await click();
    expect(await approval.pending()).toHaveLength(1);
    await approval.open();
    await approval.ask(TRANSFER);
    await name();
    await approval.ready();
    await click();
    await expect.poll(() => approval.outcome()).toBe('completed');
  });

  test('danger: a click allows nothing; holding does; letting go, sliding off and a script do not', async ({
    approval,
    page,
  }) => {
    await approval.open();
    await approval.ask(REFUND);
    await approval.ready();
    const place = await middleOf(approval.allow);
    await clickAt(page, place);
    await page.mouse.down();
    await expect(approval.allow).toHaveAttribute('data-holding', 'true');
    await page.mouse.move(place[0], place[1] - 200, { steps: 3 });
    await expect(approval.allow).not.toHaveAttribute('data-holding', 'true');
    await page.mouse.up();
    expect(await approval.pending()).toHaveLength(1);
    await page.mouse.move(...place);
    await page.mouse.down();
    await expect.poll(() => approval.outcome()).toBe('completed');
    await page.mouse.up();
    expect(await approval.ran()).toHaveLength(1);
  });

  test('danger: what turns up over the button while it is held keeps it from allowing', async ({
    approval,
    page,
    browserName,
  }) => {
    await approval.open();
    await approval.ask(REFUND);
    await approval.ready();
    await page.mouse.move(...(await middleOf(approval.allow)));
    await page.mouse.down();
    await expect(approval.allow).toHaveAttribute('data-holding', 'true');
    await approval.dialog.evaluate(
      (dialog, events) => {
        const overlay = document.createElement('div');
        overlay.setAttribute('style', `position:fixed;inset:0;background:#fffd;z-index:9;pointer-events:${events}`);
        dialog.append(overlay);
      },
      browserName === 'chromium' ? 'none' : 'auto',
    );
    await page.mouse.move(...(await middleOf(approval.allow)));
    // It goes when the time is over, or when the pointer is no longer on the button.
    await expect(approval.allow).not.toHaveAttribute('data-holding', 'true');
    await page.mouse.up();
    expect(await approval.pending()).toHaveLength(1);
  });

  test('danger: typed instead, the name must be whole', async ({ approval, page }) => {
    await approval.open();
    await approval.ask(REFUND);
    await approval.dialog.getByRole('button', { name: 'Type instead of holding' }).click();
    await page.keyboard.type('payments.refun');
    await expect(approval.allow).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Enter');
    expect(await approval.pending()).toHaveLength(1);
    await page.keyboard.type('d');
    await approval.ready();
    await page.keyboard.press('Enter');
    await expect.poll(() => approval.outcome()).toBe('completed');
  });

  test('Escape means later: nothing is decided, the focus and the caret are back, the bar leads back in', async ({
    approval,
    page,
  }) => {
    await approval.open();
    await approval.composer.fill('hello there');
    await approval.composer.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 5));
    await approval.start(TRANSFER);
    await expect(approval.dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(approval.composer).toBeFocused();
    expect(await approval.composer.evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd])).toEqual([
      2, 5,
    ]);
    expect(await approval.pending()).toHaveLength(1);
    await approval.action('review').click();
    await expect(approval.dialog).toBeVisible();
  });

  test('Allow never stands where Send stood', async ({ approval, page }) => {
    for (const [width, height] of [
      [1280, 720],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await approval.open();
      const send = (await page.getByRole('button', { name: 'Send' }).boundingBox())!;
      await approval.ask(REFUND, `run-${width}`);
      const allow = (await approval.allow.boundingBox())!;
      const isApart =
        allow.x >= send.x + send.width ||
        send.x >= allow.x + allow.width ||
        allow.y >= send.y + send.height ||
        send.y >= allow.y + allow.height;
      expect(isApart, `${width} × ${height}: ${JSON.stringify({ send, allow })}`).toBe(true);
    }
  });
});
