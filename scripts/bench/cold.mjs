// The first result on a cold page: a browser of its own each time, with an empty profile or one that has seen the page before.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS } from '../browser.mjs';

/** @typedef {import('./measure.mjs').Cell} Cell */

/** Loads after which Chromium keeps compiled code beside the files. */
const VISITS = 3;

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * @param {import('playwright').BrowserContext} context
 * @param {string} address
 * @returns {Promise<number>} milliseconds
 */
async function visit(context, address) {
  const page = await context.newPage();
  try {
    await page.goto(address);
    await page.waitForFunction(() => 'coldMs' in window);
    const ms = await page.evaluate(() => /** @type {any} */ (window).coldMs);
    // Compiled code is written when the page has been idle.
    await page.waitForTimeout(300);
    return ms;
  } finally {
    await page.close();
  }
}

/** @typedef {{ code: number, wasm: number }} Loaded kB, gzipped */

/**
 * @param {string[]} files
 * @returns {Loaded}
 */
function weigh(files) {
  const sum = (/** @type {(file: string) => boolean} */ which) =>
    files.filter(which).reduce((total, file) => total + gzipSync(readFileSync(file), { level: 9 }).length, 0) / 1000;
  return { code: sum((file) => extname(file) === '.js'), wasm: sum((file) => extname(file) === '.wasm') };
}

/**
 * One round: the first visit of a new profile, and the one after `VISITS` more in a new process.
 * @param {string} executablePath
 * @param {string} address
 * @param {() => string[]} served
 * @returns {Promise<{ empty: number, warm: number, loaded: Loaded }>}
 */
async function round(executablePath, address, served) {
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const open = () => chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_ARGS });
  try {
    let context = await open();
    served();
    const empty = await visit(context, address);
    const loaded = weigh(served());
    for (let i = 0; i < VISITS; i++) await visit(context, address);
    await context.close();
    context = await open();
    const warm = await visit(context, address);
    await context.close();
    return { empty, warm, loaded };
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * @param {string} executablePath
 * @param {{ url: string, served(): string[] }} site
 * @param {readonly string[]} subjects
 * @param {number} rounds
 * @returns {Promise<{ empty: Map<string, Cell>, warm: Map<string, Cell>, loaded: Map<string, Loaded> }>}
 */
export async function measureCold(executablePath, { url, served }, subjects, rounds) {
  /** @type {Map<string, Awaited<ReturnType<typeof round>>[]>} */
  const times = new Map(subjects.map((name) => [name, []]));
  /** @type {Map<string, Cell>} */
  const failed = new Map();
  for (let i = 0; i < rounds; i++) {
    for (const [name, measured] of times) {
      if (failed.has(name)) continue;
      try {
        measured.push(await round(executablePath, `${url}/cold/index.html?subject=${name}`, served));
      } catch (error) {
        const line = (error instanceof Error ? error.message : String(error))
          .replace(/^page\.evaluate: (Error: )?/, '')
          .split('\n')[0];
        failed.set(name, { note: (line ?? '').replaceAll('|', '/').slice(0, 80) });
      }
    }
  }
  /** @param {'empty' | 'warm'} cache */
  const cells = (cache) =>
    new Map([...times].map(([name, list]) => [name, failed.get(name) ?? { ms: median(list.map((item) => item[cache])) }]));
  const loaded = new Map([...times].flatMap(([name, [first]]) => (first ? [[name, first.loaded]] : [])));
  return { empty: cells('empty'), warm: cells('warm'), loaded };
}
