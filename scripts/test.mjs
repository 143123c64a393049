// `npm test`: installs what is missing, finds or installs a Chromium, runs every suite in order and sums up.
// `npm test -- unit e2e` runs the suites of those names; `--full` adds the slow ones.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasWebKit } from './webkit.mjs';
import { Explained, ROOT, checkNode, command, freePort, installMissing, run } from './setup.mjs';

const REPORTS = join(ROOT, '.cache/reports');
/** @param {...string} parts */
const bin = (...parts) => join('node_modules', ...parts);
const node = process.execPath;

/** Titles of tests: a call decided, a reload; and what takes longest. */
const MAIN_PATH = 'sensitive call among three|after a reload while a call waits';
const LONGEST = 'reloads at';
/** Tests of how alive a page is have the machine to themselves. */
const ALONE = '@alone';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string[]} args of node
 * @property {Record<string, string>} [env]
 * @property {'vitest' | 'playwright'} [counts] whose report says how many tests ran
 * @property {boolean} [full] only with --full
 */

/**
 * @param {string} name
 * @param {string[]} projects
 * @returns {Suite}
 */
const vitest = (name, projects = [name]) => ({
  name,
  args: [
    bin('vitest', 'vitest.mjs'),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report(name)}`,
  ],
  counts: 'vitest',
});

/**
 * @param {string} name
 * @param {string[]} projects
 * @param {Record<string, string>} env
 * @param {string[]} [more] arguments
 * @returns {Suite}
 */
const playwright = (name, projects, env, more = []) => ({
  name,
  args: [bin('@playwright', 'test', 'cli.js'), 'test', ...projects.map((project) => `--project=${project}`), ...more],
  env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report(name) },
  counts: 'playwright',
});

/** @param {string} name */
function report(name) {
  return join(REPORTS, `${name}.json`);
}

/**
 * @param {boolean} firefox
 * @returns {Suite[]}
 */
function suites(firefox) {
  const both = ['chromium', ...(firefox ? ['firefox'] : [])];
  return [
    { name: 'types', args: ['scripts/typecheck.mjs'] },
    { name: 'lint', args: [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'] },
    { name: 'format', args: [bin('@biomejs', 'biome', 'bin', 'biome'), 'format', '.'] },
    { name: 'knip', args: [bin('knip', 'bin', 'knip.js')] },
    vitest('unit', ['unit', 'unit-apart']),
    vitest('browser'),
    { name: 'build', args: [bin('tsdown', 'dist', 'run.mjs'), '--log-level', 'warn'] },
    { name: 'package', args: ['scripts/check-package.mjs'] },
    playwright('consumers', ['consumers'], {}),
    // Everything once, in Chromium, from the built package; from the sources the main path, and instead of it what takes longest.
    playwright('e2e-src', ['chromium'], { DEMO_FROM: 'src' }, ['--grep', `${MAIN_PATH}|${LONGEST}`]),
    playwright('e2e-dist', ['chromium'], { DEMO_FROM: 'dist' }, ['--grep-invert', `${LONGEST}|${ALONE}`]),
    playwright('e2e-alone', both, { DEMO_FROM: 'dist' }, ['--grep', ALONE, '--workers=1']),
    // In Firefox the main path and the policies; keys, pointers and the other ends of a run are part of the full run.
    ...(firefox
      ? [
          playwright('e2e-firefox', ['firefox'], { DEMO_FROM: 'dist' }, [
            'program.spec',
            'policy.spec',
            '--grep',
            `${MAIN_PATH}|polic|wasm`,
          ]),
        ]
      : []),
    { ...playwright('e2e-all', both, { DEMO_FROM: 'src' }, ['--grep-invert', ALONE]), full: true },
    ...(firefox
      ? [{ ...playwright('e2e-firefox-all', ['firefox'], { DEMO_FROM: 'dist' }, ['--grep-invert', ALONE]), full: true }]
      : []),
    ...(hasWebKit() ? [{ name: 'webkit', args: ['scripts/webkit.mjs'], full: true }] : []),
    { ...playwright('e2e-isolated', both, { DEMO_FROM: 'src', ISOLATE: '1' }, ['--grep-invert', ALONE]), full: true },
    { name: 'cases', args: ['scripts/cases.mjs', '--at-least', '60', '../shared/cases/handed.json'], full: true },
    {
      name: 'cases-browser',
      args: ['scripts/cases.mjs', '--browser', '--at-least', '60', '../shared/cases/handed.json'],
      full: true,
    },
  ];
}

/**
 * Tests passed and failed by a suite's own report; a suite without one counts only when it fails.
 * @param {Suite} suite
 * @param {boolean} ok
 */
function count(suite, ok) {
  const file = report(suite.name);
  if (!suite.counts) return { passed: 0, failed: ok ? 0 : 1 };
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const data = JSON.parse(readFileSync(file, 'utf8'));
  const passed = suite.counts === 'vitest' ? data.numPassedTests : data.stats.expected;
  const failed = suite.counts === 'vitest' ? data.numFailedTests : data.stats.unexpected + data.stats.flaky;
  // A file that did not load has no failed test, yet the suite failed.
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

/** Playgrounds that an earlier suite of this run built: a later one serves the same files. */
const built = new Set();

/** @param {Suite} suite */
async function playgroundFor(suite) {
  if (suite.counts !== 'playwright') return {};
  const from = suite.env?.DEMO_FROM;
  const has = built.has(from);
  built.add(from);
  return { E2E_PORT: String(await freePort()), ...(has ? { E2E_BUILT: '1' } : {}) };
}

/** @param {Suite} suite */
async function runSuite(suite) {
  console.log(`\n━━ ${suite.name} ━━`);
  const before = Date.now();
  rmSync(report(suite.name), { force: true });
  const playground = await playgroundFor(suite);
  const { code } = await run(node, suite.args, { env: { NO_COLOR: '1', FORCE_COLOR: undefined, ...suite.env, ...playground } });
  const counted = count(suite, code === 0);
  const seconds = (Date.now() - before) / 1000;
  console.log(`━━ ${suite.name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
  return { name: suite.name, ok: code === 0 && counted.failed === 0, seconds, ...counted };
}

/** @param {Awaited<ReturnType<typeof runSuite>>[]} results */
function sumUp(results) {
  const width = Math.max(...results.map((r) => r.name.length));
  console.log('\nSuite'.padEnd(width + 3), 'result   time      passed  failed');
  for (const r of results) {
    const cells = [
      r.ok ? 'ok    ' : 'FAILED',
      `${r.seconds.toFixed(1)} s`.padStart(8),
      String(r.passed).padStart(8),
      String(r.failed).padStart(7),
    ];
    console.log(r.name.padEnd(width + 2), cells.join('  '));
  }
  const total = results.reduce((sum, r) => sum + r.seconds, 0);
  console.log(`All suites: ${total.toFixed(0)} s`);
  const passed = results.reduce((sum, r) => sum + r.passed, 0);
  const failed = results.reduce((sum, r) => sum + r.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && results.every((r) => r.ok) ? 0 : 1;
}

/**
 * @param {Suite[]} all
 * @param {string[]} names
 * @param {boolean} full
 */
function choose(all, names, full) {
  const unknown = names.find((name) => !all.some((suite) => suite.name.startsWith(name)));
  if (unknown) throw new Explained(`There is no suite "${unknown}": choose from ${all.map((suite) => suite.name).join(', ')}.`);
  if (names.length > 0) return all.filter((suite) => names.some((name) => suite.name.startsWith(name)));
  return all.filter((suite) => full || !suite.full);
}

await command(async () => {
  checkNode();
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { full: { type: 'boolean', default: false } } });
  await installMissing(console.log);
  const { findFirefox, findOrInstallChromium } = await import('./browser.mjs');
  const chromium = await findOrInstallChromium().catch((error) => {
    throw new Explained(error.message);
  });
  const firefox = findFirefox();
  console.log(`Chromium: ${chromium}\nFirefox: ${firefox ?? 'not found, its tests are left out'}`);
  mkdirSync(REPORTS, { recursive: true });
  const results = [];
  // Property tests draw a new sample in the full run, the same one otherwise (scripts/vitest/property-seed.ts).
  if (values.full) process.env.PROPERTY_SEED ??= 'random';
  // Long lists of the unit tests (e2e/memory) are gone through whole.
  if (values.full) process.env.FULL ??= '1';
  // One hostile program of each kind runs in a browser, or all of them.
  if (values.full) process.env.HOSTILE ??= 'all';
  // Pages die at a few appends of their journals, or at every one.
  if (values.full) process.env.CRASH_POINTS ??= 'all';
  for (const suite of choose(suites(firefox !== undefined), positionals, values.full)) results.push(await runSuite(suite));
  return sumUp(results);
});
