// `npm run cases -- [--browser] [--at-least N] FILE [id …]`: recorded cases against this package.
import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Explained, ROOT, command, installMissing, run } from './setup.mjs';

const HARNESS = join(ROOT, '../shared/cases/harness.mjs');

/**
 * Pages for the browser's run: built, served, and ended by the caller.
 * @returns {Promise<{ env: Record<string, string>, close(): Promise<void> }>}
 */
async function serveProduct() {
  const { findOrInstallChromium } = await import('./browser.mjs');
  const { serveSite } = await import('./site.mjs');
  const chromium = await findOrInstallChromium();
  const site = await serveSite('scripts/cases/page', 'cases-page');
  return { env: { CASES_URL: site.url, CASES_CHROMIUM: chromium }, close: site.close };
}

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { browser: { type: 'boolean', default: false }, 'at-least': { type: 'string' } },
  });
  const [file, ...ids] = positionals;
  if (!file) throw new Explained('Usage: npm run cases -- [--browser] [--at-least N] FILE [id …]');
  if (!existsSync(HARNESS)) {
    console.log(`Skipped: the cases and their harness are not here (${relative(ROOT, HARNESS)}).`);
    return 0;
  }
  if (!existsSync(resolve(ROOT, file))) throw new Explained(`There is no file ${file}.`);
  await installMissing(console.log);
  const { bundleForNode } = await import('./bundle.mjs');
  const kind = values.browser ? 'browser' : 'node';
  const folder = await bundleForNode(`cases-${kind}`, { adapter: `scripts/cases/${kind}-adapter.ts` });
  const site = values.browser ? await serveProduct() : undefined;
  // The harness compares its own path with the one it was called by.
  const args = ['--expose-gc', realpathSync(HARNESS), resolve(ROOT, file), join(folder, 'adapter.mjs'), ...ids];
  const { code, text } = await run(process.execPath, args, { env: site?.env ?? {} });
  await site?.close();
  const passed = /(\d+) passed, \d+ failed, \d+ not for the harness\s*$/.exec(text)?.[1];
  if (passed === undefined) throw new Explained('The harness ended without its last line, so nothing is known of the cases.');
  return values['at-least'] === undefined ? code : Number(Number(passed) < Number(values['at-least']));
});
