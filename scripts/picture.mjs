// Takes the README's picture of the playground: the built thing, in Chromium, with the dialog open.
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, findOrInstallChromium } from './browser.mjs';
import { ROOT, command } from './setup.mjs';
import { serveSite } from './site.mjs';

await command(async () => {
  const executablePath = await findOrInstallChromium();
  const site = await serveSite('demo', 'picture');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    await dialog.locator('[data-action="allow"][aria-disabled="false"]').waitFor();
    // The other two calls are done, so that the trace behind the dialog shows something.
    await page.getByRole('region', { name: 'Trace', exact: true }).getByText('search_products').first().waitFor();
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(ROOT, 'docs/playground.png') });
  } finally {
    await browser.close();
    await site.close();
  }
  return 0;
});
