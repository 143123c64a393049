/** The playground as a person uses it. */
import { AxeBuilder } from '@axe-core/playwright';
import { type Locator, type Page, test as base, expect } from '@playwright/test';

const modifier = process.platform === 'darwin' ? 'Meta' : 'Control';

export class Playground {
  readonly page: Page;
  readonly dialog: Locator;
  readonly result: Locator;
  readonly trace: Locator;
  /** Whatever a page should not say: errors, warnings, blocked loads. */
  readonly faults: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    this.result = page.getByRole('region', { name: 'Result' });
    this.trace = page.getByRole('region', { name: 'Trace', exact: true });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
  }

  async open(hash = ''): Promise<void> {
    await this.page.goto(`./${hash}`);
    await expect(this.page.getByRole('heading', { name: /playground/ })).toBeVisible();
  }

  /** Replaces the text of the editor. */
  async write(program: string): Promise<void> {
    const editor = this.page.getByRole('textbox', { name: 'Program text' });
    await editor.click();
    await this.page.keyboard.press(`${modifier}+a`);
    await this.page.keyboard.insertText(program);
  }

  async run(program: string): Promise<void> {
    await this.write(program);
    await this.page.getByRole('button', { name: 'Run', exact: true }).click();
  }

  /** The line of status, time and counts over a result. */
  status(word: string | RegExp): Locator {
    return this.result.locator('.run-state').filter({ hasText: word });
  }

  async part(name: 'JSON' | 'Output' | 'Warnings' | 'For the model'): Promise<Locator> {
    await this.result.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    return this.result.getByRole('tabpanel');
  }

  /** Allows what the dialog shows: a click, or the hold that a dangerous call wants. */
  async allow(): Promise<void> {
    const button = this.dialog.getByRole('button', { name: /allow/i }).first();
    await expect(button).toHaveAttribute('aria-disabled', 'false');
    const hold = /hold/i.test(await button.innerText());
    await button.click({ delay: hold ? 1_500 : 30 });
  }

  /** @param surface what asks @default the dialog */
  async deny(reason: string, surface = this.dialog): Promise<void> {
    await surface.getByRole('button', { name: 'Deny…' }).click();
    await this.page.keyboard.type(reason);
    const button = surface.getByRole('button', { name: 'Deny', exact: true });
    await expect(button).toHaveAttribute('aria-disabled', 'false');
    await button.click({ delay: 30 });
  }

  async cancel(): Promise<void> {
    await this.page.getByRole('button', { name: 'Cancel', exact: true }).click();
  }
}

/** What axe finds against WCAG 2.2 AA, a line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}

/** The same in light and in dark. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const violation of await violations(page)) found.push(`${colorScheme}: ${violation}`);
  }
  return found;
}

/** Each spec gets an opened playground; afterwards the page must have stayed silent. */
export const test = base.extend<{ playground: Playground }>({
  playground: async ({ page }, use) => {
    const playground = new Playground(page);
    await playground.open();
    await use(playground);
    expect(playground.faults, 'the page logged an error or a warning').toEqual([]);
  },
});

export { expect };
