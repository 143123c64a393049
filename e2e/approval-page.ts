/** The page of `e2e/approval` as a person meets it. */
import { type Locator, type Page, test as base, expect } from '@playwright/test';
import { serveSite } from '../scripts/site.mjs';

export class ApprovalPage {
  readonly page: Page;
  readonly dialog: Locator;
  readonly allow: Locator;
  readonly composer: Locator;
  /** What a page should not say. */
  readonly faults: string[] = [];
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    this.dialog = page.getByRole('alertdialog');
    this.allow = page.locator('[data-action="allow"]');
    this.composer = page.getByRole('textbox', { name: 'Message' });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`${this.#url}?${query}`);
    await expect(this.composer).toBeVisible();
  }

  /** Starts a program; its questions come by themselves. */
  async start(code: string, id = 'run-1'): Promise<void> {
    await this.page.evaluate(([source, runId]) => void desk.session.run(source, { id: runId, title: 'A program' }), [
      code,
      id,
    ] as const);
  }

  /** Starts a program and waits for its first question. */
  async ask(code: string, id = 'run-1'): Promise<void> {
    await this.start(code, id);
    await expect(this.dialog).toBeVisible();
  }

  async ready(button: Locator = this.allow): Promise<void> {
    await expect(button).toHaveAttribute('aria-disabled', 'false');
  }

  async press(button: Locator): Promise<void> {
    await this.ready(button);
    await button.click({ delay: 20 });
  }

  /** Types over what a field has, key by key. */
  async retype(field: Locator, text: string): Promise<void> {
    await field.focus();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  action(name: string): Locator {
    return this.page.locator(`[data-action="${name}"]`);
  }

  /** What the tools did. */
  ran(): Promise<readonly { readonly tool: string; readonly input: unknown }[]> {
    return this.page.evaluate(() => [...desk.ran]);
  }

  pending(): Promise<readonly string[]> {
    return this.page.evaluate(() => desk.session.store.getState().pending);
  }

  outcome(id = 'run-1'): Promise<string | undefined> {
    return this.page.evaluate((run) => desk.session.store.getState().runs[run]?.status, id);
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const { activeElement: at } = document;
      return at?.getAttribute('data-action') ?? at?.getAttribute('aria-label') ?? at?.tagName ?? '';
    });
  }

  /** Tabs until that element has the focus. */
  async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let at = 0; at < 40; at += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
    }
    await expect(target).toBeFocused();
  }
}

/** Each spec gets the page; afterwards it must have stayed silent. */
export const test = base.extend<{ approval: ApprovalPage }, { site: string }>({
  site: [
    // Playwright reads which fixtures are wanted from the pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await serveSite('e2e/approval', 'e2e-approval', { development: true, pages: ['index.html', 'strict.html'] });
      await use(site.url);
      await site.close();
    },
    { scope: 'worker' },
  ],
  approval: async ({ page, site }, use) => {
    const approval = new ApprovalPage(page, site);
    await use(approval);
    expect(approval.faults, 'the page logged an error or a warning').toEqual([]);
  },
});

export { expect };
