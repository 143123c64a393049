/**
 * The blocks of TypeScript of all pages compile, with the package's sources in place of the package. A block is a module of its own;
 * one that begins with a file's name in a comment (`// send-mail.ts`) is that file, and all other blocks can import it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache', `doc-blocks-${process.pid}`);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

interface Block {
  readonly page: string;
  readonly file: string;
  readonly text: string;
}

/** The blocks of a page as files, each line at the number that it has on the page, so that a complaint points there. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(tsx?)\n([\s\S]*?)^```/gm)].map(({ index, 1: language = '', 2: code = '' }) => {
    const above = text.slice(0, index).split('\n').length;
    const name = /^\/\/ (\S+\.tsx?)\n/.exec(code)?.[1] ?? `${page.replaceAll(/\W/g, '-')}-${above}.${language}`;
    return { page, file: name, text: '\n'.repeat(above) + code };
  });
}

test('every block of TypeScript compiles', () => {
  const blocks = PAGES.flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(15);
  const pageOf = new Map(blocks.map(({ file, page }) => [file, page]));
  expect(pageOf.size, 'two blocks have one name').toBe(blocks.length);
  mkdirSync(FOLDER, { recursive: true });
  for (const { file, text } of blocks) writeFileSync(join(FOLDER, file), text);
  const compilerOptions = { lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'], types: ['vite/client'] };
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['.'] }),
  );
  const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
  const args = [compiler, '-p', FOLDER, '--pretty', 'false'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: FOLDER, encoding: 'utf8' });
  expect((stdout + stderr).replaceAll(/^[\w.-]+(?=\()/gm, (file) => `${pageOf.get(file) ?? ''} ${file}`)).toBe('');
}, 60_000);
