// A trace of ten thousand rows under load: what the browser's long-animation-frame entries say of our scripts.
import { chromium } from 'playwright';
import { CHROMIUM_ARGS } from '../browser.mjs';

/** @typedef {import('../../bench/trace/main.tsx').Phase} Phase */

/** No frame of ours may be longer, ms. */
const LIMIT_MS = 50;

/**
 * @param {string} executablePath
 * @param {string} url of the served bench pages
 * @param {number} rounds
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the table
 */
export async function measureTrace(executablePath, url, rounds, say) {
  /** @type {Map<string, Phase[]>} */
  const found = new Map();
  for (let round = 0; round < rounds; round++) {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
    try {
      const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
      await page.goto(`${url}/trace/index.html`);
      /** @type {readonly Phase[]} */
      const phases = await page.evaluate(() => /** @type {any} */ (window).traceBench);
      for (const phase of phases) found.set(phase.name, [...(found.get(phase.name) ?? []), phase]);
      say(
        `  trace, round ${round + 1}: ${phases.map(({ name, long, scripts }) => `${name} ${long} long, scripts ${Math.round(scripts)} ms`).join('; ')}`,
      );
    } finally {
      await browser.close();
    }
  }
  return traceTable(found);
}

/**
 * The round with the least: what else the machine does can only make frames longer.
 * @param {Map<string, Phase[]>} found
 */
function traceTable(found) {
  const rows = [...found].map(([name, rounds]) => {
    const best = rounds.toSorted((a, b) => a.scripts - b.scripts || a.longest - b.longest)[0];
    if (!best) return '';
    const verdict = best.scripts <= LIMIT_MS ? 'met' : '**missed**';
    return `| ${name} | ${best.frames} | ${best.long} | ${ms(best.longest)} | ${ms(best.scripts)} | ≤ ${LIMIT_MS} ms: ${verdict} |`;
  });
  return [
    '## A trace of 10,000 rows, 500 events a second (Chromium)',
    '',
    '| while | frames | over 50 ms | longest, ms | of it our scripts, ms | target |',
    '|---|--:|--:|--:|--:|---|',
    ...rows,
    '',
    'By the browser’s long-animation-frame entries, which begin at 50 ms; the best of the rounds. `–`: no such frame.',
    '',
  ].join('\n');
}

/** @param {number} value */
const ms = (value) => (value === 0 ? '–' : String(Math.round(value)));
