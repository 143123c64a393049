import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { startStopwatch, within } from './stopwatch.ts';

describe('a stopwatch', () => {
  it('fires past its bound and not before', () => {
    const clock = createFakeClock();
    const expired = vi.fn();
    startStopwatch(clock, 100, expired);
    clock.advance(100);
    expect(expired).not.toHaveBeenCalled();
    clock.advance(1);
    expect(expired).toHaveBeenCalledTimes(1);
  });

  it('stands still while paused, however often and however long', () => {
    const clock = createFakeClock();
    const expired = vi.fn();
    const watch = startStopwatch(clock, 100, expired);
    clock.advance(60);
    watch.pause();
    watch.pause();
    clock.advance(1_000_000);
    watch.resume();
    clock.advance(1_000_000);
    watch.resume();
    clock.advance(40);
    expect(expired).not.toHaveBeenCalled();
    clock.advance(1);
    expect(expired).toHaveBeenCalledTimes(1);
  });

  it('never fires once stopped', () => {
    const clock = createFakeClock();
    const expired = vi.fn();
    const watch = startStopwatch(clock, 100, expired);
    watch.pause();
    watch.stop();
    watch.resume();
    clock.advance(1_000);
    expect(expired).not.toHaveBeenCalled();
  });
});

describe('within', () => {
  it('rejects work that takes too long, and names it', async () => {
    const clock = createFakeClock();
    const late = within(clock, 50, new Promise(() => undefined), '`onToolCall`');
    clock.advance(51);
    await expect(late).rejects.toThrow('`onToolCall` took longer than 50 ms');
    expect(await within(clock, 50, Promise.resolve(3), 'x')).toBe(3);
  });
});
