import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly scripts: Record<string, string>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;

/** Cells of the Markdown tables of a text. */
const rows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^\|(?!\s*-)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, s: 1000, ms: 1, min: 60_000 };

/** `30 s` → 30000, `128 MiB` → 134217728, `1,000` → 1000. */
function amount(text: string): number {
  const [, number = '', unit = ''] = /^([\d,.]+)\s*(\w*)/.exec(text) ?? [];
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}

describe('the README', () => {
  test('names every limit with the default that the code has', () => {
    const named = rows(read('README.md')).flatMap(([name = '', value = '']) => {
      const limit = /^`(\w+)`$/.exec(name)?.[1];
      return limit !== undefined && limit in DEFAULT_LIMITS ? [[limit, amount(value)] as const] : [];
    });
    expect(Object.fromEntries(named) as unknown as Limits).toEqual(DEFAULT_LIMITS);
  });

  test('names only npm scripts that exist', () => {
    const used = [...read('README.md').matchAll(/npm (?:run )?([\w:]+)/g)]
      .map(([, name]) => name!)
      .filter((name) => !['install', 'ci', 'i', 'pack'].includes(name));
    expect(used.length).toBeGreaterThan(2);
    for (const name of used) expect(Object.keys(manifest.scripts)).toContain(name);
  });

  test('shows a quick start of at most 20 lines', () => {
    const code = /```tsx\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
    expect(code).toContain('useCodeMode');
  });
});

const PAGES = [
  'README.md',
  'demo/README.md',
  'e2e/README.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

for (const page of PAGES)
  test(`${page} names only files and headings that are there`, () => {
    const text = read(page);
    for (const [, path = '', heading] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)) {
      const target = path === '' ? page : join(dirname(page), path);
      expect(existsSync(join(ROOT, target)), path).toBe(true);
      if (heading !== undefined) expect(headings(read(target)), `#${heading}`).toContain(heading);
    }
    for (const [, path = ''] of text.matchAll(/`((?:src|worker|demo|docs|e2e|bench|scripts)\/[\w./-]*)`/g))
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

/** As the hosts of repositories make addresses of them. */
const headings = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

test('the notices name every package that users get, in the version that they get', () => {
  const noticed = new Map(rows(read('THIRD-PARTY-NOTICES.md')).map(([name = '', version = '']) => [name, version]));
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(noticed.get(name), name).toBe(version);
  const list = /const INSIDE_WORKER = \[([\s\S]*?)\]/.exec(read('tsdown.config.ts'))?.[1] ?? '';
  const insideWorker = [...list.matchAll(/'(@?[\w/-]+)'/g)].map(([, name]) => name!);
  expect(insideWorker).toContain('comlink');
  for (const name of insideWorker) {
    const { version } = JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string };
    expect(noticed.get(name), name).toBe(version);
  }
});

test('versions are exact, and the lock file names no address', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/);
  }
  expect(read('package-lock.json')).not.toContain('"resolved"');
});
