// A trace of ten thousand rows under load: what the browser's long-animation-frame entries say, and its trace of what they cost.
import { chromium } from 'playwright';
import { CHROMIUM_ARGS } from '../browser.mjs';

/** @typedef {import('../../bench/trace/main.tsx').Phase} Phase */
/** @typedef {{ cpu: number, scripts: number }} Cost ms of the processor: all of it, and of it scripts with the layouts they asked for */
/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number }} TraceEvent */
/** @typedef {{ phase: Phase, busiest: Cost, task: Cost }} Measured `busiest`: of the long frames; `task`: of all tasks */

/** No frame of ours may be longer, ms. */
const LIMIT_MS = 50;
/** What the browser's trace calls the running of scripts. */
const SCRIPTS = new Set([
  'FunctionCall',
  'EventDispatch',
  'FireAnimationFrame',
  'TimerFire',
  'RunMicrotasks',
  'FireIdleCallback',
]);
const NOTHING = { cpu: 0, scripts: 0 };

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
      /** @type {{ traceEvents: TraceEvent[] }} */
      const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
      const measured = phases.map((phase) => costsOf(phase, traceEvents));
      for (const each of measured) found.set(each.phase.name, [...(found.get(each.phase.name) ?? []), each]);
      say(`  trace, round ${round + 1}: ${measured.map(inWords).join('; ')}`);
    } finally {
      await browser.close();
    }
  }
  return traceTable(found);
}

/** @param {Measured} measured */
function inWords({ phase, busiest, task }) {
  return `${phase.name} ${phase.long.length} long, ${busiest.cpu.toFixed(0)} ms CPU, longest task ${task.cpu.toFixed(0)} ms`;
}

/**
 * What the long frames of a part cost by the processor's clock: that of the wall also counts what other processes did
 * meanwhile. A frame that needs more than 50 ms of the processor is a long one, so none is missed.
 * @param {Phase} phase
 * @param {TraceEvent[]} events
 * @returns {Measured}
 */
function costsOf(phase, events) {
  const mark = events.find(({ name, ph }) => name === `bench ${phase.name}` && ph !== 'M');
  if (!mark) throw new Error(`the browser's trace has no mark of "${phase.name}"`);
  const own = events.filter(({ pid, tid, tdur }) => pid === mark.pid && tid === mark.tid && tdur !== undefined);
  const until = events
    .filter(({ name, ts }) => name === 'bench end' && ts > mark.ts)
    .reduce((first, { ts }) => Math.min(first, ts), Infinity);
  const within = own.filter(({ ts }) => ts >= mark.ts && ts < until).toSorted((a, b) => a.ts - b.ts);
  const tasks = within.filter(({ name }) => name.endsWith('RunTask'));
  const scripts = outermost(within.filter(({ name }) => SCRIPTS.has(name)));
  /** @param {number} from @param {number} to @returns {Cost} µs of the trace's clock */
  const cost = (from, to) => ({ cpu: sum(tasks, from, to), scripts: sum(scripts, from, to) });
  const frames = phase.long.map(({ start, duration }) => {
    const from = mark.ts + start * 1_000;
    return cost(from - 500, from + duration * 1_000);
  });
  return { phase, busiest: most(frames), task: most(tasks.map(({ ts, dur = 0 }) => cost(ts, ts + dur))) };
}

/** @param {Cost[]} costs */
const most = (costs) => costs.reduce((max, each) => (each.cpu > max.cpu ? each : max), NOTHING);

/**
 * @param {TraceEvent[]} events
 * @param {number} from
 * @param {number} to
 */
function sum(events, from, to) {
  return events.reduce((all, { ts, tdur = 0 }) => all + (ts >= from && ts < to ? tdur : 0), 0) / 1_000;
}

/** @param {TraceEvent[]} events by their begin */
function outermost(events) {
  let end = -Infinity;
  return events.filter(({ ts, dur = 0 }) => {
    if (ts < end) return false;
    end = ts + dur;
    return true;
  });
}

/**
 * The round with the least: what else the machine does can only make frames longer.
 * @param {Map<string, Measured[]>} found
 */
function traceTable(found) {
  const rows = [...found].map(([name, rounds]) => {
    const best = rounds.toSorted((a, b) => worst(a).cpu - worst(b).cpu)[0];
    if (!best) return '';
    const { phase, busiest, task } = best;
    const longest = phase.long.toSorted((a, b) => b.duration - a.duration)[0] ?? { duration: 0, scripts: 0 };
    const verdict = worst(best).cpu <= LIMIT_MS ? 'met' : '**missed**';
    return `| ${name} | ${Math.round(phase.rate)} | ${phase.frames} | ${phase.long.length} | ${ms(longest.duration)} | ${ms(longest.scripts)} | ${ms(busiest.cpu)} | ${ms(busiest.scripts)} | ${ms(task.cpu)} | ≤ ${LIMIT_MS} ms: ${verdict} |`;
  });
  return [
    '## A trace of 10,000 rows, 500 events a second (Chromium)',
    '',
    '| while | events/s | frames | over 50 ms | longest frame, ms | its scripts, ms | busiest long frame, CPU ms | its scripts, CPU ms | longest task, CPU ms | target (CPU of a frame) |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|---|',
    ...rows,
    '',
    'Long frames by the browser’s long-animation-frame entries, which begin at 50 ms; their cost by its own trace of tasks, in time of the processor; the best of the rounds. `–`: no such frame.',
    '',
  ].join('\n');
}

/** @param {Measured} measured */
const worst = ({ busiest, task }) => most([busiest, task]);

/** @param {number} value */
const ms = (value) => (value === 0 ? '–' : value.toFixed(value < 10 ? 1 : 0));
