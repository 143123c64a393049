import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from './system-clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

const DAY = 86_400_000;

it('waits for months where it must, which no timer of the platform does', () => {
  vi.useFakeTimers();
  const due = vi.fn();
  systemClock.schedule(due, 60 * DAY);
  vi.advanceTimersByTime(60 * DAY - 1);
  expect(due).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(due).toHaveBeenCalledTimes(1);
});

it('forgets what was cancelled, in the middle of a long wait too', () => {
  vi.useFakeTimers();
  const due = vi.fn();
  const cancel = systemClock.schedule(due, 60 * DAY);
  vi.advanceTimersByTime(30 * DAY);
  cancel();
  vi.advanceTimersByTime(60 * DAY);
  expect([due.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
});
