import type { Clock } from '../protocol/clock.ts';

/** Elapsed time that no change of the system's date can move. Good for differences only. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  schedule(callback, ms) {
    const timer = setTimeout(callback, ms);
    // In Node a watch on a worker is no reason to stay alive; the worker itself is, while it runs.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};
