// Takes the README's pictures of the playground: the built thing, in Chromium, light and dark.
// `node scripts/picture.mjs` takes all; `… tree timeline` those with that in their names; `--to FOLDER` puts them elsewhere;
// `--width 320` and `--rtl` are for looking at what a README does not show.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, findOrInstallChromium } from './browser.mjs';
import { ROOT, command } from './setup.mjs';
import { serveSite } from './site.mjs';

/** @typedef {import('playwright').Page} Page */

/** A README is loaded by everybody who looks at it. */
const MAX_BYTES = 200_000;

/** The left side. */
const CHAT = { x: 0, y: 42, width: 640, height: 758 };

/** @param {Page} page */
const trace = (page) => page.getByRole('region', { name: 'Trace', exact: true });

/** The button that allows, wherever it is, once it counts. @param {Page} page */
async function ready(page) {
  const button = page.locator('[data-action="allow"][aria-disabled="false"]');
  await button.waitFor();
  return button;
}

/** Lets a person think for a moment, then holds the button that allows. @param {Page} page */
async function allow(page) {
  const button = await ready(page);
  await page.waitForTimeout(1_200);
  await button.click({ delay: 1_600 });
  await button.waitFor({ state: 'hidden' });
}

/** @param {Page} page */
async function ask(page) {
  await page.getByRole('tab', { name: /^Chat/ }).click();
  await page.getByRole('button', { name: /Refund a late parcel/ }).click();
}

/** @param {Page} page */
async function chat(page) {
  await ask(page);
  await allow(page);
  await page.locator('.cm-run[data-status="completed"]').first().waitFor();
}

/** @param {Page} page */
async function finishedTrace(page) {
  await chat(page);
  await page.getByRole('tab', { name: /^Trace/ }).click();
  await trace(page).locator('.cm-run-status[data-status="completed"]').waitFor();
}

/** @type {Record<string, (page: Page) => Promise<void>>} */
const SCENES = {
  async playground(page) {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await ready(page);
    // The other two calls are done, so that the trace behind the dialog shows something.
    await trace(page).getByText('search_products').first().waitFor();
  },
  async 'trace-tree'(page) {
    await finishedTrace(page);
    await trace(page)
      .getByRole('treeitem', { name: /^refund_order/ })
      .click();
  },
  async 'trace-timeline'(page) {
    await finishedTrace(page);
    await trace(page).getByRole('button', { name: 'Timeline' }).click();
    await trace(page)
      .getByRole('treeitem', { name: /^refund_order/ })
      .hover();
  },
  async 'trace-chat'(page) {
    await chat(page);
    const run = page.locator('.cm-run').first();
    await run.getByRole('button').first().click();
    await run.getByRole('button', { name: 'Show the whole trace' }).waitFor();
    await run.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  },
  async 'chat-question'(page) {
    await ask(page);
    await ready(page);
  },
  async 'trace-time-travel'(page) {
    await finishedTrace(page);
    await trace(page).getByRole('button', { name: 'Step through' }).click();
    const bar = trace(page).getByRole('group', { name: 'Step through' });
    while (!/person asked/.test((await bar.textContent()) ?? ''))
      await bar.getByRole('button', { name: 'Previous event' }).click();
  },
};

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string', default: 'docs' },
      width: { type: 'string', default: '1280' },
      rtl: { type: 'boolean', default: false },
    },
  });
  const width = Number(values.width);
  const folder = join(ROOT, values.to);
  mkdirSync(folder, { recursive: true });
  const wanted = Object.entries(SCENES).filter(
    ([name]) => positionals.length === 0 || positionals.some((one) => name.includes(one)),
  );
  const executablePath = await findOrInstallChromium();
  const site = await serveSite('demo', 'picture');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    for (const [name, scene] of wanted) {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        if (name === 'playground' && colorScheme === 'dark') continue;
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' });
        await page.goto(site.url);
        if (values.rtl) await page.evaluate(() => (document.documentElement.dir = 'rtl'));
        await scene(page);
        await page.waitForTimeout(600);
        const path = join(folder, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
        await page.screenshot({ path, ...(/chat/.test(name) && width > 900 && { clip: CHAT }) });
        await page.close();
        const { size } = statSync(path);
        console.log(`${path}: ${Math.round(size / 1_000)} kB${size > MAX_BYTES ? ', too large' : ''}`);
      }
    }
  } finally {
    await browser.close();
    await site.close();
  }
  return 0;
});
