import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache', `otel-page-${process.pid}`);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const page = readFileSync(join(ROOT, 'docs/otel.md'), 'utf8');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test("the page's program for Node sends its spans to an OTLP endpoint", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        bodies.push(body);
        response.setHeader('content-type', 'application/json').end('{}');
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const program = /```js\n([\s\S]*?)```/
      .exec(page)![1]!
      .replace('localhost:4318', `127.0.0.1:${port}`)
      .replaceAll(/'react-code-mode\/(\w+)'/g, (_, entry: string) => `'${pathToFileURL(join(ROOT, `src/${entry}.ts`)).href}'`);
    expect(program).toContain(String(port));
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'program.mjs'), program);
    await import(/* @vite-ignore */ pathToFileURL(join(FOLDER, 'program.mjs')).href);
  } finally {
    server.close();
  }
  const sent = bodies.flatMap((body) =>
    [...body.matchAll(/"name":"((?:code_mode\.run|execute_tool double))"/g)].map(([, name]) => name!),
  );
  expect(sent.toSorted()).toEqual(['code_mode.run', ...Array<string>(3).fill('execute_tool double')]);
}, 60_000);

test('the page names every attribute that a span can have, and no other', () => {
  const code = read('src/otel/attributes.ts') + read('src/otel/content.ts');
  const written = new Set([...code.matchAll(/'code_mode\.([\w.]+)'/g)].map(([, name]) => name!));
  const table = /\| of \|[\s\S]*?\n\n/.exec(page)![0];
  const named = new Set(
    [...table.matchAll(/`([a-z]+(?:\.[a-z_]+)?)`/g)]
      .map(([, name]) => name!)
      .filter((name) => written.has(name) || name.includes('.')),
  );
  expect([...named].toSorted()).toEqual([...written].toSorted());
});
