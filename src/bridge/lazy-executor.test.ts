import { describe, expect, it, vi } from 'vitest';
import type { ExecuteRequest } from '../protocol/wire.ts';
import type { ToolHost } from './executor.ts';
import { failedReply } from './failed-reply.ts';
import { lazyExecutor } from './lazy-executor.ts';
import type { PooledExecutor } from './pooled-executor.ts';

const REQUEST = {} as ExecuteRequest;
const HOST = {} as ToolHost;
const never = new AbortController().signal;

function executor() {
  return {
    execute: vi.fn<PooledExecutor['execute']>(async () => failedReply({ code: 'timeout', message: 'slow' })),
    analyze: vi.fn<PooledExecutor['analyze']>(),
    warmUp: vi.fn<PooledExecutor['warmUp']>(async () => {}),
    prepare: vi.fn<NonNullable<PooledExecutor['prepare']>>(async () => {}),
    endSession: vi.fn<PooledExecutor['endSession']>(),
    engine: 'quickjs 1',
    load: { spare: 1, busy: 0, idle: 0, queued: 0, waitingForSlot: 0 },
    [Symbol.asyncDispose]: vi.fn(async () => {}),
  };
}

describe('an executor that is loaded later', () => {
  it('loads nothing until it is used, and once', async () => {
    const real = executor();
    const load = vi.fn(async () => real);
    const lazy = lazyExecutor(load);
    lazy.endSession('s');
    expect([lazy.engine, lazy.load.spare, load.mock.calls.length]).toEqual(['', 0, 0]);
    await Promise.all([lazy.warmUp(1), lazy.execute(REQUEST, HOST, never)]);
    await lazy.warmUp(2);
    lazy.endSession('s');
    expect(load).toHaveBeenCalledTimes(1);
    expect([lazy.engine, lazy.load.spare]).toEqual(['quickjs 1', 1]);
    expect(real.endSession).toHaveBeenCalledWith('s');
    expect(real.execute).toHaveBeenCalledWith(REQUEST, HOST, never);
  });

  it('prepares as soon as it is loaded; what goes wrong is left to the run to tell', async () => {
    const real = executor();
    const load = vi.fn<() => Promise<PooledExecutor>>().mockRejectedValueOnce(new Error('404'));
    load.mockResolvedValue(real);
    const lazy = lazyExecutor(load);
    await lazy.prepare?.(1);
    expect(real.prepare).not.toHaveBeenCalled();
    void lazy.prepare?.(7);
    await lazy.execute(REQUEST, HOST, never);
    expect(real.prepare.mock.calls).toEqual([[7]]);
    expect(real.prepare.mock.invocationCallOrder[0]).toBeLessThan(real.execute.mock.invocationCallOrder[0]!);
  });

  it('says so when it is out of reach, and is asked for again', async () => {
    const load = vi
      .fn<() => Promise<PooledExecutor>>()
      .mockRejectedValueOnce(new Error('404'))
      .mockRejectedValueOnce(new Error('404'));
    load.mockResolvedValue(executor());
    const lazy = lazyExecutor(load);
    const reply = await lazy.execute(REQUEST, HOST, never);
    expect(reply).toMatchObject({
      status: 'failed',
      error: { code: 'executor_unavailable', message: expect.stringMatching(/could not be loaded.*404.*reload/) },
    });
    await expect(lazy.warmUp(1)).rejects.toMatchObject({ code: 'executor_unavailable' });
    await lazy.warmUp(1);
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('leaves nothing behind when it is disposed while it loads', async () => {
    const real = executor();
    let arrive: (executor: PooledExecutor) => void = () => {};
    const lazy = lazyExecutor(() => new Promise((resolve) => (arrive = resolve)));
    const warming = lazy.warmUp(1);
    await lazy[Symbol.asyncDispose]();
    arrive(real);
    await warming;
    expect(real[Symbol.asyncDispose]).toHaveBeenCalledTimes(1);
  });
});
