// The soak in Chromium: one page, watched from outside.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, browserVersion } from '../browser.mjs';
import { serveSite } from '../site.mjs';

/** @typedef {import('./report.ts').Sample} Sample */
/** @typedef {import('./report.ts').SoakReport} SoakReport */
/** @typedef {{ runs: number, batches: number, seed: number, lanes: number, say(line: string): void }} Options */

/** Ended workers are gone by then. Milliseconds. */
const REST_MS = 10_000;
/** A worker that ends and the spare that follows it overlap: nothing has come or gone for so long. Milliseconds. */
const STILL_MS = 300;

/**
 * Resident bytes of the page's process; 0 where the system does not tell.
 * @param {import('playwright').CDPSession} session of the browser
 */
async function residentBytes(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  if (process.platform !== 'linux') return 0;
  const kilobytes = pages.map((id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0));
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024;
}

/**
 * Workers of a page once there are no more than `most` and none comes or goes, or however many there are after `REST_MS`.
 * @param {import('playwright').Page} page
 * @param {number} most
 */
async function workersAtRest(page, most) {
  const until = Date.now() + REST_MS;
  let workers = page.workers().length;
  let since = Date.now();
  while (Date.now() < until && (workers > most || Date.now() - since < STILL_MS)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = page.workers().length;
    if (now !== workers) since = Date.now();
    workers = now;
  }
  return workers;
}

/**
 * @param {string} executablePath
 * @param {Options} options
 * @returns {Promise<SoakReport>}
 */
export async function soakChromium(executablePath, { runs, batches, seed, lanes, say }) {
  const site = await serveSite('scripts/soak/page', 'soak-page');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const outside = await browser.newBrowserCDPSession();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(site.url);
    await page.waitForFunction(() => 'createPageSoak' in window);
    await page.evaluate((given) => void (/** @type {any} */ (window).createPageSoak(given)), { seed, lanes });
    const inside = await page.context().newCDPSession(page);
    /** @type {Sample[]} */
    const samples = [];
    const wrong = [];
    const total = { runs: 0, sessions: 0, killed: 0 };
    for (let i = 0; i < batches; i++) {
      const count = Math.round((runs * (i + 1)) / batches) - total.runs;
      const batch = await page.evaluate((n) => /** @type {any} */ (window).pageSoak.batch(n), count);
      total.runs += batch.runs;
      total.sessions += batch.sessions;
      total.killed += batch.killed;
      wrong.push(...batch.wrong);
      const workers = await workersAtRest(page, 1);
      const held = await page.evaluate(() => /** @type {any} */ (window).pageSoak.held());
      await inside.send('HeapProfiler.collectGarbage');
      const { usedSize } = await inside.send('Runtime.getHeapUsage');
      const rss = await residentBytes(outside);
      samples.push({ ...total, ...held, workers, heap: usedSize, rss });
      const mib = [usedSize, rss].map((bytes) => (bytes / 2 ** 20).toFixed(1));
      say(`${total.runs} runs: heap ${mib[0]} MiB, resident ${mib[1]} MiB, ${workers} workers, ${wrong.length} wrong`);
    }
    const ports = await page.evaluate(() => /** @type {any} */ (window).pageSoak.dispose());
    const atEnd = { workers: await workersAtRest(page, 0), ports };
    const platform = browserVersion(executablePath).replace(/ built on.*/, '');
    return { platform, seed, mostPorts: { between: 2, atEnd: 1 }, samples, wrong, atEnd };
  } finally {
    await browser.close();
    await site.close();
  }
}
