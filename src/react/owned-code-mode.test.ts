import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodeMode, CodeModeOptions, SessionOptions } from '../session/types.ts';
import { createOwner, GRACE_MS, type Owner } from './owned-code-mode.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Made {
  readonly options: CodeModeOptions;
  readonly updates: unknown[];
  disposed: boolean;
}

let count = 0;

function setUp(sessionId?: string): { owner: Owner; made: Made[]; another: (options?: CodeModeOptions) => Owner } {
  const made: Made[] = [];
  const create = (options: CodeModeOptions): CodeMode => {
    const entry: Made = { options, updates: [], disposed: false };
    made.push(entry);
    return {
      session: (o: SessionOptions = {}) => ({ id: o.id ?? `generated-${(count += 1)}` }) as never,
      warmUp: async () => {},
      update: (changes) => void entry.updates.push(changes),
      [Symbol.asyncDispose]: async () => void (entry.disposed = true),
    };
  };
  const another = (options: CodeModeOptions = { tools: [] }): Owner =>
    createOwner(create, { options, session: sessionId === undefined ? {} : { id: sessionId } });
  return { owner: another(), made, another };
}

describe('the owner of a component’s code mode', () => {
  it('makes nothing before it is asked', () => {
    const { owner, made } = setUp();
    expect(owner.getSnapshot()).toBeUndefined();
    expect(made).toEqual([]);
  });

  it('keeps it over a remount within the grace period', () => {
    const { owner, made } = setUp();
    owner.acquire()();
    vi.advanceTimersByTime(GRACE_MS - 1);
    owner.acquire();
    vi.advanceTimersByTime(10 * GRACE_MS);
    expect(made).toMatchObject([{ disposed: false }]);
    expect(owner.getSnapshot()).toBeDefined();
  });

  it('disposes it when the grace period is over, once', () => {
    const { owner, made } = setUp();
    const release = owner.acquire();
    release();
    release();
    vi.advanceTimersByTime(GRACE_MS);
    expect(made).toMatchObject([{ disposed: true }]);
  });

  it('makes a new one for a component that comes back after that', () => {
    const { owner, made } = setUp();
    owner.acquire()();
    vi.advanceTimersByTime(GRACE_MS);
    let told = 0;
    owner.subscribe(() => (told += 1));
    owner.acquire();
    expect(made).toMatchObject([{ disposed: true }, { disposed: false }]);
    expect(told).toBe(1);
  });

  it('hands it to another component with the same session id, with that one’s options', () => {
    const { owner, made, another } = setUp('chat-1');
    owner.acquire()();
    const next = another({ tools: [], maxRetries: 7 });
    next.acquire();
    vi.advanceTimersByTime(10 * GRACE_MS);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ disposed: false, updates: [{ maxRetries: 7 }] });
    expect(owner.getSnapshot()).toBeUndefined();
  });

  it('does not hand over what is still mounted', () => {
    const { owner, made, another } = setUp('chat-2');
    owner.acquire();
    another().acquire();
    expect(made).toHaveLength(2);
  });

  it('tells who waits for it', async () => {
    const { owner } = setUp();
    const ready = owner.ready();
    owner.acquire();
    await expect(ready).resolves.toBe(owner.getSnapshot());
  });
});
