import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION, type WorkerInit } from '../protocol/wire.ts';
import { workerUrl } from '../worker-url.ts';
import { createNodeStarter, type NodeStarter } from './node-worker-port.ts';
import { monotonicClock } from './system-clock.ts';
import { openLink, type WorkerLink } from './worker-link.ts';
import { aRequest, MIB } from './test-tools/requests.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'codemode-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const INIT: WorkerInit = { protocol: PROTOCOL_VERSION, memoryBytes: 64 * MIB };

async function linkOf(start: NodeStarter, init: Partial<WorkerInit> = {}, code?: Uint8Array): Promise<WorkerLink> {
  return openLink(await start(30_000, code), { ...INIT, ...init }, monotonicClock, 30_000);
}

/** The value of a program on a worker that is ended afterwards. */
async function valueOf(link: WorkerLink, source: string): Promise<unknown> {
  const { reply } = await link.run(aRequest(source), { frame: () => {} });
  link.end({ code: 'cancelled', message: 'The test is over.' });
  return reply.status === 'completed' ? reply.value : reply.error;
}

describe('compiled code of the file', () => {
  const start = createNodeStarter(workerUrl);
  let code: Uint8Array;

  beforeAll(async () => {
    const link = await linkOf(start, { reserve: true, wantsCode: true });
    code = link.module!.code!;
    link.end({ code: 'cancelled', message: 'It has given what it was started for.' });
  });

  test('is given out by a worker in reserve that was asked for it, and by no other', async () => {
    // More than the file itself compiles to: what the rehearsal used is in it.
    expect(code.byteLength).toBeGreaterThan(500_000);
    const link = await linkOf(start, { reserve: true });
    expect(link.module).toMatchObject({ code: undefined });
    link.end({ code: 'cancelled', message: 'The test is over.' });
  });

  test('starts another one', async () => {
    expect(await valueOf(await linkOf(start, {}, code), 'await null; [1, 2].map((n) => n + 1)')).toBe('[2,3]');
  });

  test.each([
    ['empty', () => new Uint8Array(0)],
    ['of something else', () => new Uint8Array(5_000).fill(7)],
    ['cut off', () => code.slice(0, code.length >> 1)],
    ['of another version of the platform', () => code.map((byte, at) => (at < 16 ? byte ^ 0xff : byte))],
  ])('%s is left aside, and the worker starts all the same', async (_what, broken) => {
    expect(await valueOf(await linkOf(start, {}, broken()), '6 * 7')).toBe('42');
  });

  test('of another file is left aside', async () => {
    const file = fileOf('longer.js', `${readFileSync(workerUrl, 'utf8')}\n;globalThis.longer = true;`);
    expect(await valueOf(await linkOf(createNodeStarter(file), {}, code), '6 * 7')).toBe('42');
  });
});

describe('a file of the application’s own', () => {
  test('may be a module, whatever its name', async () => {
    const text = `import { strictEqual } from 'node:assert';\nstrictEqual(import.meta.url.startsWith('file:'), true);\n${readFileSync(workerUrl, 'utf8')}`;
    for (const name of ['module.mjs', 'module-inside.js']) {
      const file = fileOf(name, text);
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      expect(await valueOf(await linkOf(createNodeStarter(file)), '6 * 7')).toBe('42');
    }
  });

  test.each([
    ['that is not there', 'nowhere.js', undefined, 'ENOENT'],
    ['that is no program', 'broken.js', 'const = 1;', 'Unexpected token'],
    ['that throws', 'throws.js', 'throw new Error("not today")', 'not today'],
    ['that ends at once', 'ends.js', 'process.exit(3)', 'exit code 3'],
    ['that says nothing', 'silent.js', 'setInterval(() => {}, 1000)', 'said nothing'],
  ])('%s fails with the reason', async (_what, name, text, why) => {
    const file = text === undefined ? join(folder, name) : fileOf(name, text);
    const timeoutMs = name === 'silent.js' ? 300 : 30_000;
    await expect(createNodeStarter(file)(timeoutMs)).rejects.toMatchObject({
      code: 'executor_unavailable',
      message: expect.stringContaining(why),
      data: { file },
    });
  });
});

test('the thread’s first lines leave neither their names nor what they were given', async () => {
  const names = ['threads', 'Script', 'text', 'path', 'code', 'script'];
  const file = fileOf(
    'left.js',
    `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage('codemode:up');
    parentPort.postMessage({ workerData, types: [${names.map((name) => `typeof ${name}`).join()}] });`,
  );
  const port = await createNodeStarter(file)(30_000, new Uint8Array(100));
  const message = await new Promise((resolve) => port.onMessage(resolve));
  expect(message).toEqual({ workerData: null, types: names.map(() => 'undefined') });
  port.terminate();
});
