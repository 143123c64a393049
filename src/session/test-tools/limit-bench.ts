/** Sessions with real workers for tests of limits, on either executor. */
import { afterAll, afterEach, expect, vi } from 'vitest';
import type { PooledExecutor, PooledExecutorOptions } from '../../bridge/pooled-executor.ts';
import type { Tool } from '../../catalog/tool.ts';
import { createCodeMode } from '../create-code-mode.ts';
import type { CodeModeOptions, Session } from '../types.ts';

export interface LimitBench {
  readonly executor: PooledExecutor;
  session(options: Partial<CodeModeOptions>): Session;
}

/** One executor for the file; what a test opens is closed after it. */
export function createLimitBench(create: (options: PooledExecutorOptions) => PooledExecutor, options = {}): LimitBench {
  const executor = create(options);
  const open = new Set<AsyncDisposable>();
  afterEach(async () => {
    for (const each of open) await each[Symbol.asyncDispose]();
    open.clear();
  });
  afterAll(() => executor[Symbol.asyncDispose]());
  return {
    executor,
    session(own) {
      const codeMode = createCodeMode({ tools: [], executor, ...own });
      open.add(codeMode);
      return codeMode.session();
    },
  };
}

export const tool = (name: string, execute: Tool['execute'], more: Partial<Tool> = {}): Tool => ({
  name,
  risk: 'read',
  execute,
  ...more,
});

/** Until `check` passes; patient, because the machine may be busy. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 5 });

/** The only call that waits for a person. */
export async function pendingCall(session: Session): Promise<string> {
  await until(() => expect(session.store.getState().pending).toHaveLength(1));
  return session.store.getState().pending[0]!;
}

/** A handler that a test lets go. `arrived` counts those who wait. */
export function held(): { readonly execute: () => Promise<number>; readonly arrived: () => number; release(): void } {
  const waiting: ((value: number) => void)[] = [];
  let arrived = 0;
  return {
    execute: () => (arrived++, new Promise((resolve) => waiting.push(resolve))),
    arrived: () => arrived,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve(1);
    },
  };
}
