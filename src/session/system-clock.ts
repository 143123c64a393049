import type { Clock } from '../protocol/clock.ts';

/** Longest wait that a timer of the platform takes; a longer one would end at once. Milliseconds: 24.8 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The host's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(callback, ms) {
    let left = ms;
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const step = Math.min(left, MAX_TIMER_MS);
      left -= step;
      timer = setTimeout(left > 0 ? next : callback, step);
    };
    next();
    return () => clearTimeout(timer);
  },
};
