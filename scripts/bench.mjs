// `npm run bench`: this package against a bare prototype, in Node and in Chromium; writes bench/RESULTS.md.
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

/**
 * @param {number} rounds
 * @returns {Promise<Row[]>}
 */
async function inNode(rounds) {
  const folder = await bundleForNode('bench-node', { node: 'bench/node.ts', prototype: 'bench/prototype/thread.ts' });
  const { run } = await import(join(folder, 'node.mjs'));
  return run(rounds);
}

/**
 * @param {string} executablePath
 * @param {number} rounds
 * @returns {Promise<Row[]>}
 */
async function inChromium(executablePath, rounds) {
  const site = await serveSite('bench/page', 'bench-page');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(site.url);
    return await page.evaluate((count) => /** @type {any} */ (window).bench(count), rounds);
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

await command(async () => {
  await installMissing(console.log);
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '9' }, print: { type: 'boolean', default: false } },
  });
  const rounds = Math.max(7, Number(values.rounds));
  const executable = await findOrInstallChromium();
  const load = loadavg()[0] ?? 0;
  console.log(`Node, ${rounds} rounds …`);
  const node = await inNode(rounds);
  console.log(table('Node (worker_threads)', node));
  console.log(`Chromium, ${rounds} rounds …`);
  const page = await inChromium(executable, rounds);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const text = [
    '# Benchmark results',
    '',
    `Medians of ${rounds} rounds, ${new Date().toISOString().slice(0, 10)}, version ${version}. ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}, ${browserVersion(executable).replace(/ built on.*/, '')}.`,
    `Load average when it began: ${load.toFixed(1)} (above the number of cores the figures are too high, and the ratios shaky).`,
    'What is compared and how: README.md beside this file. `npm run bench` writes it anew.',
    '',
    table('Node (worker_threads)', node),
    table('Chromium (dedicated worker)', page),
  ].join('\n');
  console.log(`\n${text}`);
  if (!values.print) writeFileSync(join(ROOT, 'bench/RESULTS.md'), text);
  // Open workers of a subject must not keep the process.
  return 0;
});
