/** What every state of the approval surfaces looks like to a person and to assistive technology. */
import { AxeBuilder } from '@axe-core/playwright';
import { type ApprovalPage, expect, test } from './approval-page.ts';

const TRANSFER =
  "return await tools.payments.transfer({ to: 'ACME', amount: 40, currency: 'EUR' }, { intent: 'pay who waited' });";
const REFUND = 'return await tools.payments.refund({ orderId: 7, amount: 12 });';
const THREE = `return await Promise.all([tools.orders.cancel({ orderId: 1, reason: 'late' }), tools.payments.transfer({ to: 'ACME', amount: 40 }), tools.payments.refund({ orderId: 7, amount: 12 })]);`;
const ODD =
  "return await tools.crm.sync({ apiKey: 'sk-1234567', url: 'https://ex\\u0430mple.com/\\u202Emoc', body: 'x'.repeat(900), empty: '' });";

/** A period that is not over while a test runs, however slow the machine. */
const ENDLESS = 'guard=600000';

type Go = (approval: ApprovalPage) => Promise<void>;

const asked =
  (query: string, code: string, then: Go = async () => {}): Go =>
  async (approval) => {
    await approval.open(`guard=120&${query}`);
    await approval.start(code);
    await expect(approval.page.locator('[data-cm-dialog]')).toHaveAttribute('data-ready', 'true');
    await then(approval);
  };

const STATES: Readonly<Record<string, Go>> = {
  ask: asked('', TRANSFER),
  danger: asked('', REFUND),
  'danger, typed': asked('', REFUND, ({ page }) => page.getByRole('button', { name: 'Type instead of holding' }).click()),
  'unseen and folded': asked('', ODD),
  queue: asked('', THREE, (approval) => approval.action('queue').click()),
  deny: asked('', TRANSFER, (approval) => approval.action('deny-open').click()),
  edit: asked('', TRANSFER, async (approval) => {
    await approval.action('edit').click();
    await expect(approval.dialog.locator('[data-part="form"]')).toBeVisible();
    await approval.retype(approval.dialog.getByLabel('amount'), 'x');
  }),
  rule: asked('stores', TRANSFER, async ({ page, dialog }) => {
    await dialog.getByRole('combobox', { name: 'Allow how often' }).selectOption('run:rule');
    await expect(page.locator('[data-part="rule"]')).toBeVisible();
  }),
  plan: asked('plan=ask', `${THREE} tools['pa' + 'y']({});`),
  inline: asked('view=inline', TRANSFER),
  bar: asked('', TRANSFER, async (approval) => {
    await approval.page.keyboard.press('Escape');
    await expect(approval.page.locator('[data-part="bar"]')).toBeVisible();
  }),
};

/** `npm test -- --full` sets it. */
const isFull = process.env['HOSTILE'] === 'all';
const ALL = Object.keys(STATES).filter((state) => state !== 'bar');

const SNAPSHOTS: Readonly<Record<string, string>> = {
  ask: `
- alertdialog "write payments.transfer Transfer money":
  - paragraph: write payments.transfer Transfer money
  - button "Later"
  - heading "Transfer 40.00 EUR to ACME?" [level=2]
  - paragraph:
    - strong: No undo is offered
    - text: · Nothing has run yet
  - heading "Input" [level=3]
  - button "JSON"
  - term: to
  - definition: ACME
  - term: amount
  - definition: "40"
  - term: currency
  - definition: EUR
  - heading "In the program" [level=3]
  - text: line 1 · call 1 of 1
  - button "Show whole program"
  - figure "The assistant says":
    - blockquote: pay who waited
  - button "Stop run"
  - button "Deny…"
  - button "Edit"
  - button "Allow once"
  - combobox "Allow how often"
  - status`,
  danger: `
- alertdialog "danger payments.refund Refund an order":
  - 'heading "Refund 12.00 EUR for order #7?" [level=2]'
  - paragraph:
    - strong: Cannot be undone from here
    - text: · Nothing has run yet
  - button "Stop run"
  - button "Deny…"
  - button "Edit"
  - button "Hold to allow"
  - button "Type instead of holding"`,
  plan: `
- alertdialog "danger program":
  - heading "Run this program?" [level=2]
  - figure "The assistant calls it":
    - blockquote: A program
  - heading "It names 3 tools" [level=3]
  - list:
    - listitem: write orders.cancel Cancel an order line 1
    - listitem: write payments.transfer Transfer money line 1
    - listitem: danger payments.refund Refund an order line 1 asked about each time
  - button "Deny…"
  - button "Call by call"
  - button "Allow program"`,
  inline: `
- group "write payments.transfer Transfer money":
  - heading "Transfer 40.00 EUR to ACME?" [level=2]
  - button "Stop run"
  - button "Allow once"`,
};

/** Everything of a surface that cannot be told from its ground by an edge, a ring, a sign or a word. Runs in the page. */
function faint(surface: Element): string[] {
  const light = (color: string): number => {
    const parts = (/\(([^)]+)\)/.exec(color)?.[1] ?? '').split(/[ ,/]+/).map(Number);
    const [r = 0, g = 0, b = 0] = parts.map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(surface).backgroundColor);
  const isSeen = (color: string): boolean => {
    const [high, low] = [light(color), ground].toSorted((a, b) => b - a) as [number, number];
    return !color.endsWith(', 0)') && (high + 0.05) / (low + 0.05) >= 3;
  };
  const isEdged = (element: Element): boolean => {
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
    return borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1 && isSeen(borderTopColor);
  };
  const found: string[] = [];
  const check = (good: boolean, element: Element, what: string): void => {
    if (!good) found.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  };
  check(isEdged(surface), surface, 'no edge');
  const controls = surface.querySelectorAll('button, input:not([type="checkbox"]), select, textarea');
  for (const control of controls) {
    const isLink =
      getComputedStyle(control).textDecorationLine === 'underline' || getComputedStyle(control).borderBottomStyle !== 'none';
    const frame = control.closest('.cm-queue, .cm-segmented, .cm-split');
    check(isEdged(control) || isLink || (frame !== null && isEdged(frame)), control, 'no edge');
    check(isSeen(getComputedStyle(control).color), control, 'no ink');
  }
  const signs = new Map<string, string>();
  for (const badge of surface.querySelectorAll('.cm-badge')) {
    const sign = badge.querySelector('svg');
    check(sign !== null && isSeen(getComputedStyle(sign).stroke), badge, 'no sign');
    check((badge.textContent ?? '').trim() !== '' && isSeen(getComputedStyle(badge).color), badge, 'no word');
    const other = signs.get(sign?.innerHTML ?? '');
    check(other === undefined || other === badge.textContent, badge, 'the sign of another risk');
    signs.set(sign?.innerHTML ?? '', badge.textContent ?? '');
  }
  const marked = surface.querySelector('.cm-line[data-marked]');
  if (marked)
    check(getComputedStyle(marked).outlineStyle !== 'none' && isSeen(getComputedStyle(marked).outlineColor), marked, 'no mark');
  const at = document.activeElement;
  if (at && surface.contains(at) && at.matches(':focus-visible:not([tabindex="-1"])')) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at);
    check(outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && isSeen(outlineColor), at, 'no ring');
  }
  return found;
}

test.describe('looks @once @chromium', () => {
  for (const [state, snapshot] of Object.entries(SNAPSHOTS))
    test(`the accessibility tree: ${state}${['ask', 'plan'].includes(state) ? '' : ' @full'}`, async ({ approval, page }) => {
      await STATES[state]!(approval);
      await expect(page.locator('[data-cm-dialog]').locator('xpath=..')).toMatchAriaSnapshot(snapshot);
    });

  for (const [width, height, states] of [
    [320, 640, isFull ? ALL : ['danger', 'rule', 'plan']],
    [320, 256, isFull ? ALL : ['danger']], // 1280 × 1024 at 400 %
  ] as const)
    test(`at ${width} × ${height} nothing scrolls sideways, every decision can be reached and is 44 px high`, async ({
      approval,
      page,
    }) => {
      test.setTimeout(90_000);
      await page.setViewportSize({ width, height });
      for (const state of states) {
        await STATES[state]!(approval);
        const { sideways, boxes, small } = await page.evaluate(() => {
          const places = [document.documentElement, ...document.querySelectorAll('[data-cm-dialog], [data-part="body"]')];
          const rects = [...document.querySelectorAll('[data-cm-decision]')].map((button) => {
            button.scrollIntoView({ block: 'nearest' });
            const { left, right, top, bottom } = button.getBoundingClientRect();
            return { left, right, top, bottom };
          });
          const targets = [
            ...document.querySelectorAll('[data-cm-dialog] :is(button, select, input:not([type="checkbox"]), textarea)'),
          ];
          const tooSmall = targets.filter(
            (each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 23.9,
          );
          return {
            sideways: Math.max(...places.map((each) => each.scrollWidth - each.clientWidth)),
            boxes: rects,
            small: tooSmall.map((each) => each.textContent),
          };
        });
        expect(small, `${state}: targets below 24 px`).toEqual([]);
        expect(sideways, state).toBe(0);
        expect(boxes.length, state).toBeGreaterThan(0);
        for (const { left, right, top, bottom } of boxes) {
          expect(bottom - top).toBeGreaterThanOrEqual(43.9);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(width);
          expect(top).toBeGreaterThanOrEqual(-0.5);
          expect(bottom).toBeLessThanOrEqual(height + 0.5);
        }
      }
    });

  test('Tab goes round inside the modal, both ways; what it tells stands inside, the page outside is inert', async ({
    approval,
    page,
  }) => {
    await STATES['ask']!(approval);
    const stops: string[] = [];
    for (let at = 0; at < 16; at += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
      stops.push(await approval.focused());
    }
    expect(stops.filter((stop) => stop === 'allow').length).toBeGreaterThan(1);
    await approval.action('later').focus();
    await page.keyboard.press('Shift+Tab');
    expect(await approval.focused()).toBe('Allow how often');
    await expect(approval.dialog.getByRole('status')).toHaveCount(1);
    expect(await page.evaluate(() => document.querySelector('dialog')!.matches(':modal'))).toBe(true);
  });

  test('in forced colours all controls have an edge, the focus a ring, what decides a stronger edge, and risk a sign and a word @emulated', async ({
    approval,
    page,
  }) => {
    test.setTimeout(60_000);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    for (const state of isFull ? ALL : ['queue', 'edit', 'danger']) {
      await STATES[state]!(approval);
      expect(await page.locator('[data-cm-dialog]').evaluate(faint), state).toEqual([]);
    }
    // Of the last state, with the buttons that wait beside those that do not.
    const edge = (action: string): Promise<number> =>
      approval.action(action).evaluate((button) => Number.parseFloat(getComputedStyle(button).borderTopWidth));
    expect(await edge('allow')).toBeGreaterThan(await edge('deny-open'));
    const ink = (action: string): Promise<string> => approval.action(action).evaluate((button) => getComputedStyle(button).color);
    await approval.open(ENDLESS);
    await approval.ask(REFUND);
    await expect(approval.allow).toHaveAttribute('aria-disabled', 'true');
    expect(await ink('allow')).not.toBe(await ink('deny-open'));
    // A ring wherever Tab goes.
    const stops = new Set<string>();
    for (let at = 0; at < 10; at += 1) {
      await page.keyboard.press('Tab');
      stops.add(await approval.focused());
      expect(await page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
      expect(await page.locator('[data-cm-dialog]').evaluate(faint), await approval.focused()).toEqual([]);
    }
    expect([...stops]).toEqual(expect.arrayContaining(['allow', 'deny-open', 'edit', 'stop', 'later']));
  });

  test('with reduced motion nothing moves; right to left nothing leaves the screen', async ({ approval, page, browserName }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 700 });
    await asked('dir=rtl&lang=de', REFUND)(approval);
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('dialog, dialog *')].filter((each) =>
          ['', '::before'].some((pseudo) => {
            const { transitionDuration, animationName } = getComputedStyle(each, pseudo || null);
            return animationName !== 'none' || transitionDuration.split(', ').some((time) => Number.parseFloat(time) > 0);
          }),
        ).length,
    );
    // Playwright cannot ask a system Firefox for it.
    if (browserName === 'chromium') expect(moving).toBe(0);
    const box = (await approval.allow.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  });
});

for (const colorScheme of isFull ? (['light', 'dark'] as const) : (['dark'] as const))
  test(`axe finds nothing in any state of approval, ${colorScheme}`, async ({ approval, page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const state of isFull ? Object.keys(STATES) : ['queue', 'edit', 'rule', 'plan']) {
      const go = STATES[state]!;
      await go(approval);
      const { violations } = await new AxeBuilder({ page })
        .include('[data-cm-dialog], [data-part="bar"]')
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze();
      const found = violations.flatMap((rule) =>
        rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
      );
      expect(found, state).toEqual([]);
    }
  });
