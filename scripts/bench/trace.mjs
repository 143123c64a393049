// A trace of ten thousand rows under load: what the browser's long-animation-frame entries say of our scripts.
import { chromium } from 'playwright';
import { CHROMIUM_ARGS } from '../browser.mjs';

/** @typedef {import('../../bench/trace/main.tsx').Phase} Phase */
/** @typedef {Phase & { cpu: number }} Measured `cpu`: longest task, ms */

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
  /** @type {Map<string, Measured[]>} */
  const found = new Map();
  for (let round = 0; round < rounds; round++) {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
    try {
      const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
      await page.goto(`${url}/trace/index.html`);
      await browser.startTracing(page, { categories: ['blink.user_timing', 'devtools.timeline', 'toplevel', '__metadata'] });
      /** @type {readonly Phase[]} */
      const phases = await page.evaluate(() => /** @type {any} */ (window).traceBench);
      const cpu = longestTasks(await browser.stopTracing());
      for (const phase of phases)
        found.set(phase.name, [...(found.get(phase.name) ?? []), { ...phase, cpu: cpu.get(phase.name) ?? Number.NaN }]);
      say(
        `  trace, round ${round + 1}: ${phases.map(({ name, long, scripts }) => `${name} ${long} long, scripts ${Math.round(scripts)} ms, ${Math.round(cpu.get(name) ?? 0)} ms CPU`).join('; ')}`,
      );
    } finally {
      await browser.close();
    }
  }
  return traceTable(found);
}

/**
 * The longest task of the page's main thread in each part, by the processor's clock: that of the wall also counts what
 * other processes did meanwhile.
 * @param {Buffer} trace
 * @returns {Map<string, number>} ms
 */
function longestTasks(trace) {
  /** @type {{ traceEvents: { name: string, ph: string, pid: number, tid: number, ts: number, tdur?: number }[] }} */
  const { traceEvents } = JSON.parse(trace.toString());
  const marks = traceEvents.filter(({ name, ph }) => name.startsWith('bench ') && ph !== 'M').toSorted((a, b) => a.ts - b.ts);
  const tasks = traceEvents.filter(({ name, tdur }) => tdur !== undefined && name.endsWith('RunTask'));
  const longest = new Map();
  marks.forEach(({ name, pid, tid, ts }, at) => {
    if (name === 'bench end') return;
    const until = marks[at + 1]?.ts ?? Infinity;
    const own = tasks.filter((task) => task.pid === pid && task.tid === tid && task.ts >= ts && task.ts < until);
    longest.set(name.slice('bench '.length), Math.max(0, ...own.map(({ tdur = 0 }) => tdur)) / 1_000);
  });
  return longest;
}

/**
 * The round with the least: what else the machine does can only make frames longer.
 * @param {Map<string, Measured[]>} found
 */
function traceTable(found) {
  const rows = [...found].map(([name, rounds]) => {
    const best = rounds.toSorted((a, b) => a.cpu - b.cpu)[0];
    if (!best) return '';
    const verdict = best.cpu <= LIMIT_MS ? 'met' : '**missed**';
    return `| ${name} | ${best.frames} | ${best.long} | ${ms(best.longest)} | ${ms(best.scripts)} | ${best.cpu.toFixed(1)} | ≤ ${LIMIT_MS} ms: ${verdict} |`;
  });
  return [
    '## A trace of 10,000 rows, 500 events a second (Chromium)',
    '',
    '| while | frames | over 50 ms | longest, ms | of it our scripts, ms | longest task, CPU ms | target (CPU) |',
    '|---|--:|--:|--:|--:|--:|---|',
    ...rows,
    '',
    'By the browser’s long-animation-frame entries, which begin at 50 ms; and by its trace of tasks, in time of the processor; the best of the rounds. `–`: no such frame.',
    '',
  ].join('\n');
}

/** @param {number} value */
const ms = (value) => (value === 0 ? '–' : String(Math.round(value)));
