import { expect, it, vi } from 'vitest';
import type { Executor } from '../bridge/executor.ts';
import { memoryStorage } from '../journal/memory-storage.ts';
import { createCodeMode } from './create-code-mode.ts';
import { loadRuntime, runtimeNow } from './load-runtime.ts';
import { createSession } from './session.ts';

function anExecutor(): Executor {
  const never = (): never => {
    throw new Error('nothing was to run');
  };
  return {
    engine: 'none',
    warmUp: vi.fn(async () => undefined),
    execute: vi.fn(never),
    analyze: vi.fn(never),
    endSession: vi.fn(),
    [Symbol.asyncDispose]: async () => undefined,
  } as unknown as Executor;
}

it('warming up loads what a run needs, and touches nothing of the application', async () => {
  expect(runtimeNow()).toBeUndefined();
  const execute = vi.fn();
  const onToolCall = vi.fn();
  const storage = memoryStorage();
  const open = vi.spyOn(storage, 'open');
  const executor = anExecutor();
  await using codeMode = createCodeMode({ tools: [{ name: 'rehearsal', execute }], onToolCall, storage, executor });
  await Promise.all([codeMode.warmUp(), codeMode.warmUp()]);
  expect(runtimeNow()).toBeDefined();
  expect(executor.warmUp).toHaveBeenCalled();
  for (const untouched of [execute, onToolCall, open, executor.execute, executor.analyze])
    expect(untouched).not.toHaveBeenCalled();
});

it('plays one call and one program through all parts, once for the life of the page', async () => {
  const { rehearse } = await loadRuntime();
  const opened: ReturnType<typeof createSession>[] = [];
  const open: typeof createSession = (deps, own) => {
    const session = createSession(deps, own);
    opened.push(session);
    return session;
  };
  await rehearse(open);
  expect(opened).toEqual([]);
  vi.resetModules();
  const fresh = await import('./rehearsal.ts');
  await Promise.all([fresh.rehearse(open), fresh.rehearse(open)]);
  expect(opened).toHaveLength(1);
  const { runs, runOrder } = opened[0]!.store.getState();
  expect(runOrder.map((id) => runs[id]?.status)).toEqual(['completed', 'completed']);
});
