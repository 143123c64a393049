import { beforeAll, expect, test } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { createTestSandbox, drive } from './test-tools/drive.ts';

let maker: Sandbox;
beforeAll(async () => {
  maker = await createTestSandbox();
  await maker.prepare();
});

/** A sandbox that takes over what `maker` prepared, as it travels between workers. */
const heir = (): Promise<Sandbox> =>
  createTestSandbox({ module: maker.module, context: structuredClone(maker.preparedContext()) });

const echo = (input: unknown): unknown => input;

test('a worker goes on from the context that another one prepared', async () => {
  const sandbox = await heir();
  const source = `
    const all = await Promise.all([1, 2, 3].map((n) => tools.echo({ n, text: 'ä😀' })));
    console.log('%d of %s', all.length, new Date(0).toISOString());
    ({ all, sorted: ['b', 'ä', 'a'].sort((a, b) => a.localeCompare(b)), big: 2n ** 70n, url: new URL('http://x.test/ä?q=1').href })`;
  const own = await drive(maker, source, { echo });
  const taken = await drive(sandbox, source, { echo });
  expect(own.reply.status).toBe('completed');
  expect(taken.value).toEqual(own.value);
  expect(taken.lines).toEqual(own.lines);
  expect(taken.calls.map(({ input, site }) => [input, site])).toEqual(own.calls.map(({ input, site }) => [input, site]));
});

test('nothing of one program is left for the next', async () => {
  const sandbox = await heir();
  await drive(sandbox, "globalThis.leak = 1; Array.prototype.push = () => 'mine'; await tools.echo({})", { echo });
  expect((await drive(sandbox, 'const a = []; a.push(7); return [typeof leak, a]', {})).value).toEqual(['undefined', [7]]);
});

test('memory is bounded and counted as before', async () => {
  const sandbox = await heir();
  const own = await drive(maker, 'const a = new Array(1e6).fill(1.5); return a.length', {});
  const taken = await drive(sandbox, 'const a = new Array(1e6).fill(1.5); return a.length', {});
  expect(taken.reply.peakMemoryBytes).toBe(own.reply.peakMemoryBytes);
  const full = await drive(sandbox, 'const a = []; for (;;) a.push(new Array(1e5).fill(1.5))', {});
  expect(full.reply).toMatchObject({ status: 'failed', error: { code: 'memory_limit' } });
  expect(sandbox.spent).toBe(true);
});

test('a context for another size of memory is left aside', async () => {
  const sandbox = await createTestSandbox({
    module: maker.module,
    context: structuredClone(maker.preparedContext()),
    memoryBytes: 32 * 1024 * 1024,
  });
  expect((await drive(sandbox, 'return 6 * 7', {})).value).toBe(42);
});

test('what a program has touched is not handed on', async () => {
  const sandbox = await heir();
  let during: unknown;
  await drive(sandbox, 'await tools.look({})', {
    look: () => {
      during = sandbox.preparedContext();
    },
  });
  expect(during).toBeUndefined();
});
