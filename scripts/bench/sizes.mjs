// What a page loads of each entry, minified as an application's build would.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ALIASES } from '../bundle.mjs';
import { ROOT } from '../setup.mjs';

/** Targets of gzipped kB. */
const ENTRIES = [
  { name: 'core', target: 30 },
  { name: 'index', target: 60 },
];

/** @param {Buffer | string} content */
const gzip = (content) => gzipSync(content, { level: 9 }).length;
/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(1);

/**
 * An entry with its static imports, and what it loads later; React and the worker's file apart.
 * @param {string} name
 */
async function entrySize(name) {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: ALIASES },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(ROOT, `src/${name}.ts`),
        external: [/^react(-dom)?(\/.*)?$/, /^node:/],
        preserveEntrySignatures: 'strict',
        checks: { pluginTimings: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((part) => ('output' in part ? part.output : []));
  const chunks = new Map(outputs.filter((part) => part.type === 'chunk').map((part) => [part.fileName, part]));
  const seen = new Set();
  const queue = [...chunks.values()].filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const chunk = chunks.get(next);
    if (!chunk || seen.has(next)) continue;
    seen.add(next);
    queue.push(...chunk.imports);
  }
  const code = [...seen].map((file) => chunks.get(file)?.code ?? '');
  const lazy = [...chunks.values()].filter((chunk) => !seen.has(chunk.fileName)).map((chunk) => chunk.code);
  return {
    raw: code.reduce((sum, text) => sum + text.length, 0),
    gzip: code.reduce((sum, text) => sum + gzip(text), 0),
    lazy: lazy.reduce((sum, text) => sum + gzip(text), 0),
  };
}

/** The worker's file, and the same without the WebAssembly in it. */
function workerSize() {
  const text = readFileSync(join(ROOT, '.cache/worker.js'), 'utf8');
  // The longest literal of base64 is the engine.
  const engine = (text.match(/[A-Za-z0-9+/=]{100000,}/g) ?? []).toSorted((a, b) => b.length - a.length)[0] ?? '';
  const rest = text.replace(engine, '');
  return { raw: text.length, gzip: gzip(text), restRaw: rest.length, rest: gzip(rest) };
}

/** @param {number} value @param {number} limit */
const judge = (value, limit) => `≤ ${limit} kB: ${value <= limit * 1000 ? 'met' : '**missed**'}`;

export async function sizesTable() {
  const rows = [];
  for (const { name, target } of ENTRIES) {
    const size = await entrySize(name);
    rows.push(`| \`${name}\` with what it imports at once | ${kB(size.raw)} | ${kB(size.gzip)} | ${judge(size.gzip, target)} |`);
    rows.push(`| \`${name}\`: loaded later, at most | | ${kB(size.lazy)} | |`);
  }
  const worker = workerSize();
  rows.push(`| \`worker.js\` | ${kB(worker.raw)} | ${kB(worker.gzip)} | |`);
  rows.push(
    `| \`worker.js\` without the WebAssembly | ${kB(worker.restRaw)} | ${kB(worker.rest)} | ${judge(worker.rest, 115)} |`,
    `| the WebAssembly in it | ${kB(worker.raw - worker.restRaw)} | ${kB(worker.gzip - worker.rest)} | ${judge(worker.gzip - worker.rest, 240)} |`,
  );
  return ['## Sizes', '', '| file, minified | kB | kB gzipped | target |', '|---|--:|--:|---|', ...rows, ''].join('\n');
}
