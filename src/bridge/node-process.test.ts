/** What the Node executor does to the process around it. */
import { createHook } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { workerUrl } from '../worker-url.ts';
import { createNodeExecutor } from './node-worker-executor.ts';
import { IDLE_MS } from './worker-pool.ts';
import { aHost, aRequest, MIB, never } from './test-tools/requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'codemode-'));

/** The executor as plain JavaScript, for processes of their own. */
beforeAll(async () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await rolldown({
    input: { executor: join(here, 'node-worker-executor.ts'), requests: join(here, 'test-tools/requests.ts') },
    platform: 'node',
    tsconfig: false,
    plugins: [
      {
        name: 'worker-url',
        load: (id) =>
          id.endsWith('/src/worker-url.ts') ? `export const workerUrl = new URL(${JSON.stringify(workerUrl.href)});` : undefined,
      },
    ],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  await bundle.close();
});

vi.setConfig({ testTimeout: 60_000 });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
}

function runScript(body: string): Promise<Ended> {
  const file = join(folder, 'script.mjs');
  writeFileSync(
    file,
    `import { createNodeExecutor } from './executor.mjs';\nimport { aRequest, aHost, after, never, MIB } from './requests.mjs';\nconst executor = createNodeExecutor();\n${body}`,
  );
  const start = performance.now();
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 15_000,
    env: { SECRET_TOKEN: 'x' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output, ms: performance.now() - start })));
}

test('a process ends by itself after its runs, though workers are idle', async () => {
  const ended = await runScript(
    `const reply = await executor.execute(aRequest('await tools.echo({})'), aHost(), never()); console.log(reply.status);`,
  );
  expect(ended).toMatchObject({ code: 0, output: 'completed\n' });
});

test('a run that waits keeps the process alive', async () => {
  const ended = await runScript(`
    const host = aHost((call) => new Promise((resolve) => setTimeout(() => resolve({ id: call.id, ok: true, value: '5' }), 400).unref()));
    console.log((await executor.execute(aRequest('await tools.slow({})'), host, never())).value);`);
  expect(ended).toMatchObject({ code: 0, output: '5\n' });
});

test('what a program prints goes to the host, not to the output of the process', async () => {
  const ended = await runScript(`
    const host = aHost();
    await executor.execute(aRequest('console.log("hi"); console.error("there")'), host, never());
    console.log(JSON.stringify(host.frames.flatMap((frame) => frame.output.map(({ text }) => text))));`);
  expect(ended).toMatchObject({ code: 0, output: '["hi","there"]\n' });
});

test('a missing worker file is an error, and the process lives', async () => {
  const executor = createNodeExecutor({ workerUrl: join(folder, 'nowhere.mjs') });
  expect(await executor.execute(aRequest('1'), aHost(), never())).toMatchObject({
    status: 'failed',
    error: { code: 'executor_unavailable', message: expect.stringContaining('workerUrl') },
  });
});

test('a hundred and fifty runs open no further port', async () => {
  const executor = createNodeExecutor();
  await executor.execute(aRequest('1'), aHost(), never());
  await executor.warmUp(16 * MIB);
  let ports = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'MESSAGEPORT' && ports++) }).enable();
  for (let i = 0; i < 150; i++) await executor.execute(aRequest('await tools.echo({})'), aHost(), never());
  hook.disable();
  expect(ports).toBe(0);
  expect(executor.load).toEqual({ spare: 1, busy: 0, idle: 1, queued: 0, waitingForSlot: 0 });
  await executor[Symbol.asyncDispose]();
});

test('idle workers are closed after 30 s, those that keep globals are not', async () => {
  const clock = createFakeClock();
  const executor = createNodeExecutor({ clock });
  await executor.execute(aRequest('1', { sessionId: 'a' }), aHost(), never());
  await executor.execute(aRequest('let x = 1', { sessionId: 'b', state: 'session' }), aHost(), never());
  expect(executor.load.idle).toBe(2);
  clock.advance(IDLE_MS - 1);
  expect(executor.load.idle).toBe(2);
  clock.advance(1);
  expect(executor.load.idle).toBe(1);
  const again = await executor.execute(aRequest('x', { sessionId: 'b', state: 'session' }), aHost(), never());
  expect(again).toMatchObject({ status: 'completed', value: '1' });
  await executor[Symbol.asyncDispose]();
});
