import type { Clock } from '../protocol/clock.ts';

/** Longest step between two looks; also how late the end of a budget may be noticed. Milliseconds. */
const TICK_MS = 1_000;
/** A longer gap between two looks is sleep or throttling, not computing: it is charged to nobody. Milliseconds. */
export const MAX_STEP_MS = 5_000;
/** Messages that wait behind a busy page get this long to arrive before the budget counts as spent. Milliseconds. */
const LAST_LOOK_MS = 25;

/** The page's own measure of how long a worker has been computing. */
export interface ComputeClock {
  start(): void;
  stop(): void;
  /**
   * The worker's own measure, from a frame: a worker that speaks is no native loop, and what it did not compute was the page
   * itself being busy. Only silence is charged on the page's word alone.
   */
  believe(workerMs: number): void;
  /** Milliseconds charged so far. */
  readonly charged: number;
  /** Nothing is charged any more, and no timer left. */
  close(): void;
}

/**
 * Charges time between `start` and `stop` and calls `exhausted` once when it passes `budgetMs` while running.
 * Waiting is not charged because nobody starts the clock for it.
 */
export function createComputeClock(clock: Clock, budgetMs: number, exhausted: () => void): ComputeClock {
  let charged = 0;
  let running = false;
  let lastLook = 0;
  let cancelTimer: (() => void) | undefined;
  /** When the timer looks; the last look of a budget that is spent is not one of these. */
  let nextLook = 0;

  function look(): void {
    const now = clock.now();
    const step = now - lastLook;
    lastLook = now;
    if (step <= MAX_STEP_MS) charged += Math.max(0, step);
  }

  /** Looks again before the budget can be spent. A timer that is early enough stays: programs rest after every call. */
  function plan(): void {
    const wait = Math.min(TICK_MS, Math.max(0, budgetMs - charged));
    if (cancelTimer && nextLook <= lastLook + wait) return;
    cancelTimer?.();
    nextLook = lastLook + wait;
    cancelTimer = clock.schedule(tick, wait);
  }

  function tick(): void {
    cancelTimer = undefined;
    if (!running) return;
    look();
    if (charged < budgetMs) return plan();
    nextLook = Number.POSITIVE_INFINITY;
    cancelTimer = clock.schedule(lastLookDone, LAST_LOOK_MS);
  }

  function lastLookDone(): void {
    close();
    exhausted();
  }

  function close(): void {
    running = false;
    cancelTimer?.();
    cancelTimer = undefined;
  }

  return {
    start() {
      if (running) return;
      running = true;
      lastLook = clock.now();
      plan();
    },
    stop() {
      if (!running) return;
      running = false;
      look();
      if (nextLook === Number.POSITIVE_INFINITY) close();
    },
    believe(workerMs) {
      if (running) look();
      if (workerMs >= charged) return;
      charged = workerMs;
      // It may have been about to end.
      if (running) plan();
    },
    close,
    get charged() {
      return Math.round(charged);
    },
  };
}
