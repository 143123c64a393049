// What a page loads: an application's bundle of the built package, minified and gzipped, against the budgets of
// size-budgets.json (bytes). Only ever lower a budget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { Explained, ROOT } from './setup.mjs';

/** What an application imports, as in the README's quick starts. */
const IMPORTS = {
  core: "export { createCodeMode, defineTool } from 'react-code-mode/core';",
  main: "export { ApprovalDialog, CodeModeProvider, TracePanel, useCodeMode } from 'react-code-mode';",
  otel: "export { exportSpans, exportSpansLive } from 'react-code-mode/otel';",
};
/** The text of the engine in the worker's file. */
const ENGINE = /[\w+/]{100000,}=*/;
/** One of the German words, which only who imports `germanLabels` should load. */
const GERMAN = /Ablehnen/;

/** @param {string} text */
const gzip = (text) => gzipSync(text, { level: 9 }).length;
/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1);

/**
 * @param {string} specifier
 * @returns {string | undefined} the file of the built package
 */
function exported(specifier) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entry = exports[specifier.replace('react-code-mode', '.')];
  return entry && join(ROOT, entry.default);
}

/**
 * @param {string} source of an application
 * @returns {Promise<import('rolldown').OutputChunk[]>}
 */
async function bundle(source) {
  const entry = join(ROOT, 'application.js');
  const build = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: 'browser',
    external: [/^react(-dom)?(\/|$)/, /^@opentelemetry\//, /^node:/],
    logLevel: 'silent',
    tsconfig: false,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id === entry ? id : exported(id)),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}

/**
 * The chunk that starts, with all it imports at once; and each later one with what it brings along.
 * @param {import('rolldown').OutputChunk[]} chunks
 */
function stages(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /**
   * @param {string} name
   * @param {Set<string>} seen
   */
  const reach = (name, seen) => {
    const chunk = byName.get(name);
    if (!chunk || seen.has(name)) return seen;
    seen.add(name);
    for (const next of chunk.imports) reach(next, seen);
    return seen;
  };
  const start = chunks.find((chunk) => chunk.isEntry);
  const first = reach(start?.fileName ?? '', new Set());
  const later = chunks
    .filter((chunk) => chunk.isDynamicEntry && !first.has(chunk.fileName))
    .map((chunk) => ({ name: chunk.name, files: [...reach(chunk.fileName, new Set(first))].filter((name) => !first.has(name)) }));
  /** @param {Iterable<string>} names */
  const weigh = (names) => {
    const codes = [...names].map((name) => byName.get(name)?.code ?? '');
    return { raw: codes.reduce((sum, code) => sum + code.length, 0), gzip: codes.reduce((sum, code) => sum + gzip(code), 0) };
  };
  return {
    first: { ...weigh(first), code: [...first].map((name) => byName.get(name)?.code ?? '').join('\n') },
    later: later.map(({ name, files }) => ({ name, ...weigh(files) })),
  };
}

/** @typedef {{ label: string, raw: number, gzip: number, budget?: number }} Row */

/**
 * @param {'core' | 'main' | 'otel'} name
 * @param {number} budget
 * @returns {Promise<Row[]>}
 */
async function entryRows(name, budget) {
  const { first, later } = stages(await bundle(IMPORTS[name]));
  if (ENGINE.test(first.code))
    throw new Explained(
      `${name} carries the worker's text: it must stay in a file of its own that is loaded only when the worker's file cannot be.`,
    );
  if (GERMAN.test(first.code))
    throw new Explained(
      `${name} carries the German words although nothing imports them: src/react/labels-de.ts must be free of side effects.`,
    );
  const label = {
    core: '`createCodeMode` of `core`',
    main: 'hook, provider, dialog and panel',
    otel: 'spans for OpenTelemetry (`otel`)',
  }[name];
  return [
    { label, raw: first.raw, gzip: first.gzip, budget },
    ...later.map(({ name: part, raw, gzip: size }) => ({ label: `… later: ${part.replace(/-[\w-]{8}$/, '')}`, raw, gzip: size })),
  ];
}

/**
 * @param {{ worker: number, engine: number }} budgets
 * @returns {Row[]}
 */
function workerRows(budgets) {
  const text = readFileSync(join(ROOT, 'dist/worker.js'), 'utf8');
  const engine = ENGINE.exec(text)?.[0] ?? '';
  const rest = text.replace(engine, '');
  return [
    { label: '`worker.js`', raw: text.length, gzip: gzip(text) },
    { label: '… without the WebAssembly', raw: rest.length, gzip: gzip(rest), budget: budgets.worker },
    { label: '… the WebAssembly', raw: engine.length, gzip: gzip(engine), budget: budgets.engine },
  ];
}

/** @returns {Promise<Row[]>} of the package in `dist/` */
export async function sizes() {
  const budgets = JSON.parse(readFileSync(join(ROOT, 'scripts/size-budgets.json'), 'utf8'));
  const css = readFileSync(join(ROOT, 'dist/styles.css'), 'utf8');
  return [
    ...(await entryRows('core', budgets.core)),
    ...(await entryRows('main', budgets.main)),
    ...(await entryRows('otel', budgets.otel)),
    ...workerRows(budgets),
    { label: '`styles.css`', raw: css.length, gzip: gzip(css) },
  ];
}

/** @param {Row} row */
const isOver = (row) => row.budget !== undefined && row.gzip > row.budget;

/**
 * Prints the table. gzip is what a server sends.
 * @throws Explained when something is over its budget
 */
export async function reportSizes() {
  const rows = await sizes();
  console.log('\n| minified by an application, React apart | kB | kB gzipped | budget |\n|---|--:|--:|--:|');
  for (const row of rows)
    console.log(
      `| ${row.label} | ${kB(row.raw)} | ${kB(row.gzip)} | ${row.budget === undefined ? '' : `${kB(row.budget)}${isOver(row) ? ' **over**' : ''}`} |`,
    );
  const over = rows.filter(isOver);
  if (over.length > 0)
    throw new Explained(
      `Over budget: ${over.map((row) => `${row.label} has ${row.gzip} bytes, ${row.gzip - (row.budget ?? 0)} too many`).join('; ')}. Load what is not needed at once later (src/session/runtime.ts, src/react/lazy-part.ts), or say in the commit why scripts/size-budgets.json grows.`,
    );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { command } = await import('./setup.mjs');
  await command(reportSizes);
}
