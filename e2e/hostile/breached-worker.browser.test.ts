/** A breached worker and the page: the same as in Node, on the platform where it matters most. */
import { afterAll, inject, it, vi } from 'vitest';
import { createWebWorkerExecutor } from '../../src/bridge/web-worker-executor.ts';
import { BREACHES } from './breaches.ts';
import { checkBreach, checkImpostor } from './check-breach.ts';

vi.setConfig({ testTimeout: 60_000 });

const executor = createWebWorkerExecutor({
  createWorker: () => new Worker(new URL('./breached-worker.mjs', import.meta.url), { type: 'module' }),
  spare: false,
});
afterAll(() => executor[Symbol.asyncDispose]());

const every = inject('hostileSample') === 'all' ? 1 : 3;

it.each(BREACHES.filter((_, index) => index % every === 0))('$name', (breach) => checkBreach(breach, executor));

it('in the name of another session', () => checkImpostor(executor));
