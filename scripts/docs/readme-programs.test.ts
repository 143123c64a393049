import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache', `readme-${process.pid}`);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The programs for Node of the README, with the package's sources in place of the package. */
const programs = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) =>
  text!.replaceAll(
    /'react-code-mode\/(core|node)'/g,
    (_, entry: string) => `'${pathToFileURL(join(ROOT, `src/${entry}.ts`)).href}'`,
  ),
);

/** Runs a program; what it wrote. */
async function run(index: number): Promise<readonly string[]> {
  const written = vi.spyOn(console, 'log').mockImplementation(() => {});
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `program-${index}.mjs`);
  writeFileSync(file, programs[index]!);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
  const lines = written.mock.calls.map((values) => values.join(' '));
  written.mockRestore();
  return lines;
}

test('the programs of the README do what their comments say', async () => {
  expect(programs).toHaveLength(2);
  expect(await run(0)).toEqual(['completed 42']);
  const [denied, explained, ...rest] = await run(1);
  expect(denied).toContain('denied by the application: beyond the limit of the run: `amount` may add up to 100');
  expect(explained).toBe('payments.send waits for a person by the rule "payments.* (rule 1)".');
  expect(rest).toEqual(['70', 'undone 0']);
}, 30_000);
