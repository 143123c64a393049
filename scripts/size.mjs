// Sizes of what a page loads, raw and gzipped.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ROOT } from './setup.mjs';

const DIST = join(ROOT, 'dist');

/**
 * The chunks an entry loads at once (dynamic imports are left out).
 * @param {string} entry
 * @returns {Set<string>}
 */
function graph(entry) {
  const seen = new Set();
  const queue = [entry];
  for (let name = queue.shift(); name; name = queue.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const text = readFileSync(join(DIST, name), 'utf8');
    for (const [, next] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      if (next && existsSync(join(DIST, next))) queue.push(next);
  }
  return seen;
}

/** @param {Iterable<string>} names */
function sizes(names) {
  const contents = [...names].map((name) => readFileSync(join(DIST, name)));
  const raw = contents.reduce((sum, content) => sum + content.length, 0);
  const gzip = contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
  return { raw, gzip };
}

/** Prints a table; gzip is what a server sends. */
export function reportSizes() {
  const entries = readdirSync(DIST).filter((name) =>
    ['index.js', 'core.js', 'node.js', 'testing.js', 'worker.js', 'styles.css'].includes(name),
  );
  console.log('\n| file with what it imports (before an application minifies) | kB | kB gzipped |\n|---|--:|--:|');
  for (const name of entries) {
    const { raw, gzip } = sizes(name.endsWith('.js') && name !== 'worker.js' ? graph(name) : [name]);
    console.log(`| ${name} | ${(raw / 1000).toFixed(1)} | ${(gzip / 1000).toFixed(1)} |`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) reportSizes();
