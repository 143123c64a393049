import { afterAll, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../../src/bridge/node-worker-executor.ts';
import { BREACHES } from './breaches.ts';
import { checkBreach, checkImpostor } from './check-breach.ts';
import { watchPage } from './watch-page.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createNodeExecutor({ workerUrl: new URL('./breached-worker.mjs', import.meta.url), spare: false });
afterAll(() => executor[Symbol.asyncDispose]());

it.each(BREACHES)('$name', async (breach) => {
  const blocked = watchPage();
  await checkBreach(breach, executor);
  expect(blocked()).toBeLessThan(4_000);
});

it('in the name of another session', () => checkImpostor(executor));
