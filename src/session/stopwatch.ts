import type { Clock } from '../protocol/clock.ts';

/** A bound in time that stands still while paused: `maxDurationMs` does not run while a person decides. */
export interface Stopwatch {
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Calls `expired` once more than `ms` have passed outside of pauses. Pauses nest. */
export function startStopwatch(clock: Clock, ms: number, expired: () => void): Stopwatch {
  let left = ms + 1;
  let pauses = 0;
  let since = clock.now();
  let cancel: (() => void) | undefined = clock.schedule(expired, left);
  const halt = (): void => {
    cancel?.();
    cancel = undefined;
  };
  return {
    pause() {
      if (pauses++ > 0 || !cancel) return;
      left -= clock.now() - since;
      halt();
    },
    resume() {
      if (pauses === 0 || --pauses > 0) return;
      since = clock.now();
      cancel = clock.schedule(expired, Math.max(0, left));
    },
    stop() {
      halt();
      pauses = Number.POSITIVE_INFINITY;
    },
  };
}

/** Settles like `work`, or rejects after more than `ms` with an error that names `what`. */
export function within<T>(clock: Clock, ms: number, work: T | Promise<T>, what: string): Promise<T> {
  if (!(work instanceof Promise) && typeof (work as { then?: unknown } | null)?.then !== 'function') return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.schedule(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms + 1);
    Promise.resolve(work).then(resolve, reject).finally(cancel);
  });
}
