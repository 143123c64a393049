// `npm run bench`: this package against a bare prototype, in Node and in Chromium; writes bench/RESULTS.md.
// `npm run bench -- --rows calls,warm --rounds 3 --node` measures a part of it quickly and only prints.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, browserVersion, findOrInstallChromium } from './browser.mjs';
import { bundleForNode } from './bundle.mjs';
import { ROOT, command, installMissing } from './setup.mjs';
import { serveSite } from './site.mjs';

/** @typedef {{ scenario: string, prototype: number, ours: number }} Row */
/** @typedef {{ rounds: number, rows: string[] }} Settings */

/**
 * @param {Settings} settings
 * @returns {Promise<Row[]>}
 */
async function inNode(settings) {
  const folder = await bundleForNode('bench-node', { node: 'bench/node.ts', prototype: 'bench/prototype/thread.ts' });
  const { run } = await import(join(folder, 'node.mjs'));
  return run(settings);
}

/**
 * @param {string} executablePath
 * @param {Settings} settings
 * @returns {Promise<Row[]>}
 */
async function inChromium(executablePath, settings) {
  const site = await serveSite('bench/page', 'bench-page');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(site.url);
    return await page.evaluate((given) => /** @type {any} */ (window).bench(given), settings);
  } finally {
    await browser.close();
    await site.close();
  }
}

/** @param {number} ms */
const number = (ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(1));

/**
 * @param {string} title
 * @param {Row[]} rows
 */
function table(title, rows) {
  const lines = rows.map(
    (row) => `| ${row.scenario} | ${number(row.prototype)} | ${number(row.ours)} | ${(row.ours / row.prototype).toFixed(2)} |`,
  );
  return [
    `## ${title}`,
    '',
    '| scenario | bare prototype, ms | this package, ms | ratio |',
    '|---|--:|--:|--:|',
    ...lines,
    '',
  ].join('\n');
}

/**
 * @param {string[]} tables
 * @param {number} rounds
 * @param {string | undefined} executable
 * @param {number} load
 */
function report(tables, rounds, executable, load) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const browser = executable === undefined ? '' : `, ${browserVersion(executable).replace(/ built on.*/, '')}`;
  return [
    '# Benchmark results',
    '',
    `Medians of ${rounds} rounds, ${new Date().toISOString().slice(0, 10)}, version ${version}. ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}${browser}.`,
    `Load average when it began: ${load.toFixed(1)} (above the number of cores the figures are too high, and the ratios shaky).`,
    'What is compared and how: README.md beside this file. `npm run bench` writes it anew.',
    '',
    ...tables,
  ].join('\n');
}

/** Medians of fewer say little. */
const LEAST_ROUNDS = 7;

await command(async () => {
  await installMissing(console.log);
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '9' },
      rows: { type: 'string', default: '' },
      node: { type: 'boolean', default: false },
      chromium: { type: 'boolean', default: false },
      'no-peers': { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
    },
  });
  const settings = {
    rounds: Math.max(1, Number(values.rounds)),
    rows: values.rows.split(',').filter((part) => part !== ''),
  };
  const everywhere = values.node === values.chromium;
  const load = loadavg()[0] ?? 0;
  const tables = [];
  let executable;
  if (everywhere || values.node) {
    console.log(`Node, ${settings.rounds} rounds …`);
    tables.push(table('Node (worker_threads)', await inNode(settings)));
  }
  if (everywhere || values.chromium) {
    executable = await findOrInstallChromium();
    console.log(`Chromium, ${settings.rounds} rounds …`);
    tables.push(table('Chromium (dedicated worker)', await inChromium(executable, settings)));
  }
  const text = report(tables, settings.rounds, executable, load);
  console.log(`\n${text}`);
  const whole = everywhere && settings.rows.length === 0 && settings.rounds >= LEAST_ROUNDS && !values['no-peers'];
  if (whole && !values.print) writeFileSync(join(ROOT, 'bench/RESULTS.md'), text);
  // Open workers of a subject must not keep the process.
  return 0;
});
