// `npm run soak`: 10,000 mixed runs in Node and 1,000 in Chromium, a tenth of them killed; memory must stay flat. Writes bench/SOAK.md.
// `npm run soak -- --node --runs 500 --seed 7` plays a part and only prints.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstallChromium } from './browser.mjs';
import { bundleForNode } from './bundle.mjs';
import { ROOT, command, installMissing } from './setup.mjs';
import { soakChromium } from './soak/chromium.mjs';

/** @typedef {import('./soak/report.ts').SoakReport} SoakReport */
/** @typedef {import('./soak/report.ts').Memory} Memory */

const RUNS = { node: 10_000, chromium: 1_000 };
const BATCHES = 40;
const LANES = 4;
/** Runs of each kind in a session that stays open. */
const KEPT_RUNS = 1_000;

/** @param {number} bytes */
const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);

/**
 * @param {SoakReport} report
 * @param {string[]} found
 * @param {{ total: Memory, perRun: Memory }} rise
 * @param {Memory} bounds
 */
function table(report, found, rise, bounds) {
  const { platform, samples, wrong, seed, atEnd, keptPerRun = [] } = report;
  const last = samples.at(-1);
  const step = Math.max(1, Math.ceil(samples.length / 10));
  const shown = samples.filter((_, i) => (i + 1) % step === 0 || i === samples.length - 1);
  return [
    `## ${platform}`,
    '',
    `${last?.runs} runs in ${last?.sessions} sessions, ${last?.killed} of them killed, ${wrong.length} ended otherwise than they should. Seed ${seed}.`,
    `Growth over the last two thirds (fitted line): heap ${mib(rise.total.heap)} MiB (at most ${mib(bounds.heap)}), ${rise.perRun.heap.toFixed(0)} bytes a run; resident ${mib(rise.total.rss)} MiB (at most ${mib(bounds.rss)}).`,
    `After everything was disposed: ${atEnd.workers} workers, ${atEnd.ports} ports.`,
    found.length === 0 ? '**Passed.**' : `**Failed:** ${found.join('; ')}.`,
    '',
    '| runs | sessions | heap, MiB | resident, MiB | workers | ports | listeners | open handlers | journals |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...shown.map(
      (s) =>
        `| ${s.runs} | ${s.sessions} | ${mib(s.heap)} | ${mib(s.rss)} | ${s.workers} | ${s.ports} | ${s.listeners} | ${s.handlersOpen} | ${s.journals} |`,
    ),
    '',
    ...(keptPerRun.length === 0 ? [] : ['| what a run leaves in a session that stays open | bytes of heap |', '|---|--:|']),
    ...keptPerRun.map(({ what, bytes }) => `| ${what} | ${Math.round(bytes)} |`),
    '',
  ].join('\n');
}

await command(async () => {
  await installMissing(console.log);
  const { values } = parseArgs({
    options: {
      runs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      node: { type: 'boolean', default: false },
      chromium: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
    },
  });
  const everywhere = values.node === values.chromium;
  const load = loadavg()[0] ?? 0;
  const folder = await bundleForNode('soak-node', { node: 'scripts/soak/node.ts', report: 'scripts/soak/report.ts' });
  const { soakNode } = await import(join(folder, 'node.mjs'));
  const { BOUNDS, faults, growth } = await import(join(folder, 'report.mjs'));
  const common = { batches: BATCHES, seed: Number(values.seed), lanes: LANES, say: console.log };
  /** @type {string[]} */
  const tables = [];
  let failed = 0;
  /** @param {SoakReport} report */
  const take = (report) => {
    const found = faults(report);
    failed += found.length;
    tables.push(table(report, found, growth(report.samples), BOUNDS));
    console.log(`\n${tables.at(-1)}`);
  };
  if (everywhere || values.node) {
    take(await soakNode({ ...common, runs: Number(values.runs ?? RUNS.node), keptRuns: KEPT_RUNS }));
  }
  if (everywhere || values.chromium) {
    const executable = await findOrInstallChromium();
    take(await soakChromium(executable, { ...common, runs: Number(values.runs ?? RUNS.chromium) }));
  }
  const text = [
    '# Soak results',
    '',
    `${new Date().toISOString().slice(0, 10)}. ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}, load average ${load.toFixed(1)}. \`npm run soak\` writes it anew.`,
    'Samples are taken between batches, with every session closed and garbage collected: one spare worker and its port may be up.',
    '',
    ...tables,
  ].join('\n');
  if (everywhere && values.runs === undefined && !values.print) writeFileSync(join(ROOT, 'bench/SOAK.md'), text);
  return failed === 0 ? 0 : 1;
});
