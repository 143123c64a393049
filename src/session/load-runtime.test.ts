import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNodeExecutor } from '../bridge/node-worker-executor.ts';

// Modules are loaded anew; a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const outOfReach = () => {
  throw new Error('404');
};

const fresh = async () => {
  vi.resetModules();
  const [{ createCodeMode }, { runtimeNow }] = await Promise.all([import('./create-code-mode.ts'), import('./load-runtime.ts')]);
  return { createCodeMode, runtimeNow };
};

afterEach(() => {
  vi.doUnmock('./runtime.ts');
});

describe('what a session needs only once something runs', () => {
  it('is not loaded by a code mode, a session or a look at the tools', async () => {
    const { createCodeMode, runtimeNow } = await fresh();
    await using codeMode = createCodeMode({ tools: [{ name: 'double', execute: (n: number) => 2 * n }] });
    const { modelTools } = codeMode.session();
    expect(modelTools.executeCode.description).toContain('double');
    await Promise.resolve();
    expect(runtimeNow()).toBeUndefined();
  });

  it('is loaded while the first worker starts; a session alone asks the platform for nothing', async () => {
    const { createCodeMode, runtimeNow } = await fresh();
    const format = vi.spyOn(Intl, 'DateTimeFormat');
    await using executor = createNodeExecutor();
    await using codeMode = createCodeMode({ tools: [], executor });
    const session = codeMode.session();
    await Promise.resolve();
    expect([executor.load.spare, format.mock.calls.length]).toEqual([0, 0]);
    const run = session.run('return Intl.DateTimeFormat().resolvedOptions().timeZone');
    expect([executor.load.spare, runtimeNow()]).toEqual([1, undefined]);
    format.mockRestore();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(await run.outcome).toMatchObject({ status: 'completed', value: timeZone });
  });

  it('starts no worker for a call without a program', async () => {
    const { createCodeMode } = await fresh();
    await using executor = createNodeExecutor();
    await using codeMode = createCodeMode({ tools: [{ name: 'double', execute: (n: number) => 2 * n }], executor });
    expect(await codeMode.session().callTool('double', 4).outcome).toMatchObject({ status: 'completed', value: 8 });
    expect(executor.load).toMatchObject({ spare: 0, busy: 0, idle: 0 });
  });

  it('is loaded by the first run, which is queued meanwhile; a cancel in that time counts', async () => {
    const { createCodeMode, runtimeNow } = await fresh();
    await using executor = createNodeExecutor();
    await using codeMode = createCodeMode({ tools: [], executor });
    const session = codeMode.session();
    const first = session.run('return 1');
    const second = session.run('return 2');
    second.cancel('no longer wanted');
    await Promise.resolve();
    expect(session.journal.events.map(({ type }) => type)).toEqual(['run.queued', 'run.queued']);
    expect(await first.outcome).toMatchObject({ status: 'completed', value: 1 });
    expect(await second.outcome).toMatchObject({ status: 'cancelled', reason: 'no longer wanted' });
    expect(runtimeNow()).toBeDefined();
  });

  it('fails the run in words when it is out of reach, and the next run asks again', async () => {
    const { createCodeMode } = await fresh();
    await using executor = createNodeExecutor();
    await using codeMode = createCodeMode({ tools: [], executor });
    const session = codeMode.session();
    vi.doMock('./runtime.ts', outOfReach);
    const run = session.run('return 1');
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'executor_unavailable', message: expect.stringContaining('could not be loaded') },
    });
    expect(session.store.getState().runs[run.id]?.status).toBe('failed');
    expect(await session.modelTools.getTools.run({})).toMatchObject({
      ok: false,
      text: expect.stringContaining('executor_unavailable'),
    });
    vi.doUnmock('./runtime.ts');
    expect(await session.run('return 1').outcome).toMatchObject({ status: 'completed', value: 1 });
  });
});
