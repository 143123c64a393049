// `npm run bench`: this package against the platform and its peers, in Node and in Chromium; writes bench/RESULTS.md.
// `npm run bench -- --rows calls,warm --rounds 3 --node --no-peers` measures a part of it quickly and only prints.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCold } from './bench/cold.mjs';
import { openNodeHost, openPageHost } from './bench/hosts.mjs';
import { measureRows } from './bench/measure.mjs';
import { installPeers, isPeerInstalled } from './bench/peers.mjs';
import { serveBench } from './bench/site.mjs';
import { sizesTable } from './bench/sizes.mjs';
import { loadedTable, table } from './bench/table.mjs';
import { measureTrace } from './bench/trace.mjs';
import { browserVersion, findOrInstallChromium } from './browser.mjs';
import { bundleForNode } from './bundle.mjs';
import { ROOT, command, installMissing } from './setup.mjs';

/** @typedef {import('../bench/rows.ts').Row} Row */
/** @typedef {{ rounds: number, rows: string[], subjects: string[], peers: boolean }} Settings */

const OWN = ['ours', 'prototype', 'platform'];
const PEERS = {
  node: ['run', 'pi-codemode', 'sebastianwessel', 'tanstack'],
  chromium: ['pi-codemode', 'sebastianwessel', 'tanstack', 'cloudflare'],
};
/** Medians of fewer rounds say little. */
const LEAST_ROUNDS = 7;

/**
 * @param {Settings} settings
 * @param {string[]} peers
 */
function subjectsOf({ subjects, peers: withPeers }, peers) {
  const all = [...OWN, ...(withPeers ? peers : [])];
  return subjects.length === 0 ? all : all.filter((name) => subjects.includes(name));
}

/**
 * @param {Settings} settings
 * @param {string} id
 */
const wanted = ({ rows }, id) => rows.length === 0 || rows.some((part) => id.includes(part));

/**
 * How each subject is opened; a peer that is not installed says so in every cell.
 * @param {string[]} names
 * @param {(name: string) => Promise<import('./bench/hosts.mjs').Host>} open
 * @param {Map<string, string>} [failed]
 */
function openers(names, open, failed = new Map()) {
  /** @param {string} name */
  const opener = (name) => async () => {
    if (!OWN.includes(name) && !isPeerInstalled(name)) throw new Error('not installed');
    const why = failed.get(name);
    if (why) throw new Error(why);
    return open(name);
  };
  return new Map(names.map((name) => [name, opener(name)]));
}

/**
 * @param {Settings} settings
 * @param {Row[]} rows
 * @param {string} folder of the bundles
 */
async function inNode(settings, rows, folder) {
  const names = subjectsOf(settings, PEERS.node);
  const chosen = rows.filter(({ id, platform }) => platform !== 'chromium' && wanted(settings, id));
  const cells = await measureRows(
    chosen,
    openers(names, (name) => openNodeHost(join(folder, 'node.mjs'), name)),
    settings.rounds,
    console.log,
  );
  return table(
    'Node (worker_threads)',
    names,
    chosen.map((row) => ({ ...row, cells: cells.get(row.id) ?? new Map() })),
  );
}

/**
 * @param {Settings} settings
 * @param {Row[]} rows
 * @param {string} executable
 */
async function inChromium(settings, rows, executable) {
  const names = subjectsOf(settings, PEERS.chromium);
  const site = await serveBench(settings.peers);
  try {
    const lines = [];
    /** @type {string[]} */
    const more = [];
    if (wanted(settings, 'cold-page')) {
      const pages = names.filter((name) => name !== 'platform' && (OWN.includes(name) || isPeerInstalled(name)));
      const { empty, warm, loaded } = await measureCold(executable, site, pages, settings.rounds);
      more.push(loadedTable(loaded));
      lines.push({ title: 'first result on a cold page, empty cache', cells: empty });
      lines.push({ title: 'first result on a cold page, warm HTTP and code cache', cells: warm });
    }
    if (wanted(settings, 'trace')) more.push(await measureTrace(executable, site.url, settings.rounds, console.log));
    const chosen = rows.filter(({ id, platform }) => platform !== 'node' && wanted(settings, id));
    const open = openers(names, (name) => openPageHost(executable, site.url, name), site.failedPeers);
    const cells = await measureRows(chosen, open, settings.rounds, console.log);
    lines.push(...chosen.map((row) => ({ ...row, cells: cells.get(row.id) ?? new Map() })));
    return [table('Chromium (dedicated worker)', names, lines), ...more].join('\n');
  } finally {
    site.close();
  }
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
    `Medians of ${rounds} rounds (CPU rows: the least), ${new Date().toISOString().slice(0, 10)}, version ${version}. ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release().split('-')[0]}, Node ${process.versions.node}${browser}.`,
    `Load average when it began: ${load.toFixed(1)} (above the number of cores the figures are too high, and the ratios shaky).`,
    'In parentheses: how many times ours. What is compared and how, and why a cell is empty: README.md beside this file.',
    '',
    ...tables,
  ].join('\n');
}

await command(async () => {
  await installMissing(console.log);
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '9' },
      rows: { type: 'string', default: '' },
      subjects: { type: 'string', default: '' },
      node: { type: 'boolean', default: false },
      chromium: { type: 'boolean', default: false },
      'no-peers': { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
    },
  });
  /** @param {string} text */
  const list = (text) => text.split(',').filter((part) => part !== '');
  const settings = {
    rounds: Math.max(1, Number(values.rounds)),
    rows: list(values.rows),
    subjects: list(values.subjects),
    peers: !values['no-peers'],
  };
  const everywhere = values.node === values.chromium;
  if (settings.peers) await installPeers();
  const load = loadavg()[0] ?? 0;
  const folder = await bundleForNode('bench-node', {
    node: 'bench/node.ts',
    prototype: 'bench/prototype/thread.ts',
    rows: 'bench/rows.ts',
  });
  const { ROWS } = await import(join(folder, 'rows.mjs'));
  const tables = [];
  let executable;
  if (everywhere || values.node) {
    console.log(`Node, ${settings.rounds} rounds …`);
    tables.push(await inNode(settings, ROWS, folder));
  }
  if (everywhere || values.chromium) {
    executable = await findOrInstallChromium();
    console.log(`Chromium, ${settings.rounds} rounds …`);
    tables.push(await inChromium(settings, ROWS, executable));
  }
  if (wanted(settings, 'sizes')) tables.push(await sizesTable());
  const text = report(tables, settings.rounds, executable, load);
  console.log(`\n${text}`);
  const { rows, subjects, peers, rounds } = settings;
  const whole = everywhere && rows.length + subjects.length === 0 && rounds >= LEAST_ROUNDS && peers;
  if (whole && !values.print) writeFileSync(join(ROOT, 'bench/RESULTS.md'), text);
  // Open workers of a subject must not keep the process.
  return 0;
});
