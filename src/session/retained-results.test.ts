import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { createCodeMode } from './create-code-mode.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor();
afterAll(() => executor[Symbol.asyncDispose]());

it('a result keeps its name when retention removed runs before it', async () => {
  const codeMode = createCodeMode({ tools: [], executor, storage: memoryStorage({ retention: { maxRuns: 2 } }) });
  onTestFinished(() => codeMode[Symbol.asyncDispose]());
  const session = codeMode.session();
  const load = (name: string) => session.run(`return codemode.results.load(${JSON.stringify(name)})`).outcome;
  for (const n of [1, 2, 3]) await session.run(`return ${n}0`).outcome;
  await vi.waitFor(() => expect(session.store.getState().removedRuns).toBe(1), { timeout: 15_000 });
  expect(await load('r3')).toMatchObject({ value: 30 });
  await vi.waitFor(() => expect(session.store.getState().removedRuns).toBe(2), { timeout: 15_000 });
  expect(await load('r2')).toMatchObject({ error: { message: expect.stringContaining('r2 is no longer kept') as string } });
});
