/**
 * The surfaces as pictures, `e2e/pictures`. Made and compared where the fonts of Debian are, because letters differ elsewhere.
 * After a wanted change, look at what it made of them: `npx playwright test --project=chromium pictures --update-snapshots`.
 */
import { existsSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { type ApprovalPage, expect, test } from './approval-page.ts';
import { ERRANDS } from './approval/errands.ts';

const TRANSFER = `const owed = await tools.orders.list({ open: true });
await tools.payments.transfer({ to: 'ACME', amount: 40, currency: 'EUR' }, { intent: 'pay who waited' });`;
const THREE = `await Promise.all([
  tools.orders.cancel({ orderId: 1, reason: 'late' }),
  tools.payments.transfer({ to: 'ACME', amount: 40 }),
  tools.payments.refund({ orderId: 7, amount: 12 }),
]);`;
const ODD = `await tools.crm.sync({
  apiKey: 'sk-1234567',
  url: 'https://ex\\u0430mple.com/\\u202Emoc',
  body: 'x'.repeat(900),
});`;

type Look = 'light' | 'dark' | 'forced-colors' | '320' | '400-percent';

/** One page and the ways it is looked at. */
interface Scene {
  readonly query?: string;
  readonly program: string;
  readonly then?: (approval: ApprovalPage) => Promise<void>;
  readonly of?: (page: Page) => Locator;
  readonly looks: readonly Look[];
}

const SCENES: Readonly<Record<string, Scene>> = {
  ask: { program: TRANSFER, looks: ['light'] },
  payment: { program: ERRANDS['payment']!.program, looks: ['light', 'dark', 'forced-colors', '320', '400-percent'] },
  unseen: { program: ODD, looks: ['light'] },
  queue: { program: THREE, then: (approval) => approval.action('queue').click(), looks: ['light'] },
  edit: {
    program: TRANSFER,
    then: async (approval) => {
      await approval.action('edit').click();
      await approval.retype(approval.dialog.getByLabel('amount'), '45');
      await approval.retype(approval.dialog.getByLabel('note'), 'with thanks');
      await expect(approval.dialog.locator('[data-part="changes"] ins')).toHaveCount(2);
      await approval.dialog.locator('[data-part="changes"]').scrollIntoViewIfNeeded();
    },
    looks: ['light'],
  },
  plan: { query: 'plan=ask', program: `${THREE}\ntools['pa' + 'y']({});`, looks: ['light'] },
  'right to left': { query: 'dir=rtl', program: TRANSFER, looks: ['light', '320'] },
  inline: { query: 'view=inline', program: TRANSFER, of: (page) => page.locator('[data-cm-inline]'), looks: ['dark'] },
  bar: {
    program: THREE,
    then: async ({ page }) => {
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-part="bar"]')).toBeVisible();
    },
    of: (page) => page.locator('[data-part="bar"]'),
    looks: ['light'],
  },
  permissions: {
    query: 'stores&view=grants',
    program: `${TRANSFER}\nawait tools.mail.send({ to: 'a@shop.example' });`,
    then: async (approval) => {
      for (const scope of ['always:tool', 'session:input']) {
        await approval.dialog.getByRole('combobox', { name: 'Allow how often' }).selectOption(scope);
        await approval.press(approval.allow);
      }
      await expect(approval.action('revoke')).toHaveCount(2);
    },
    of: (page) => page.locator('[data-part="grants"]'),
    looks: ['light'],
  },
};

async function look(page: Page, how: Look): Promise<void> {
  await page.emulateMedia({
    colorScheme: how === 'dark' ? 'dark' : 'light',
    forcedColors: how === 'forced-colors' ? 'active' : 'none',
    reducedMotion: 'reduce',
  });
  await page.setViewportSize(SIZES[how] ?? { width: 600, height: 640 });
}

/** 1280 × 1024 at 400 % is 320 × 256. */
const SIZES: Partial<Record<Look, { readonly width: number; readonly height: number }>> = {
  '320': { width: 320, height: 640 },
  '400-percent': { width: 320, height: 256 },
};

if (process.platform === 'linux' && existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'))
  test.describe('pictures @once @chromium', () => {
    test.use({ locale: 'en-GB', timezoneId: 'UTC' });
    for (const [name, { query = '', program, then, of, looks }] of Object.entries(SCENES))
      test(`${name}: ${looks.join(', ')}`, async ({ approval, page }) => {
        await look(page, looks[0]!);
        await approval.open(`guard=120&${query}`);
        await approval.start(program);
        await expect(page.locator('[data-cm-dialog]')).toHaveAttribute('data-ready', 'true');
        await expect(page.locator('[data-cm-dialog]').locator('[data-part="value"], [data-part="tools"]').first()).toBeVisible();
        await then?.(approval);
        await page.mouse.move(0, 0);
        for (const how of looks) {
          await look(page, how);
          await expect.soft(of?.(page) ?? approval.dialog).toHaveScreenshot(`${name} ${how}.png`.replaceAll(' ', '-'));
        }
      });
  });
