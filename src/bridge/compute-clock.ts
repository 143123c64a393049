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
}

/**
 * Charges time between `start` and `stop` and calls `exhausted` once when it passes `budgetMs` while running.
 * Waiting is not charged because nobody starts the clock for it.
 */
export function createComputeClock(clock: Clock, budgetMs: number, exhausted: () => void): ComputeClock {
  let charged = 0;
  let running = false;
  let lastLook = 0;
  let cancelTick: () => void = () => {};

  function look(): void {
    const now = clock.now();
    const step = now - lastLook;
    lastLook = now;
    if (step <= MAX_STEP_MS) charged += Math.max(0, step);
  }

  function tick(): void {
    look();
    const left = budgetMs - charged;
    cancelTick = left > 0 ? clock.schedule(tick, Math.min(TICK_MS, left)) : clock.schedule(lastLookDone, LAST_LOOK_MS);
  }

  function lastLookDone(): void {
    running = false;
    exhausted();
  }

  return {
    start() {
      if (running) return;
      running = true;
      lastLook = clock.now();
      cancelTick = clock.schedule(tick, Math.min(TICK_MS, Math.max(0, budgetMs - charged)));
    },
    stop() {
      if (!running) return;
      running = false;
      look();
      cancelTick();
    },
    believe(workerMs) {
      if (running) look();
      if (workerMs >= charged) return;
      charged = workerMs;
      // It may have been about to end.
      if (!running) return;
      cancelTick();
      cancelTick = clock.schedule(tick, Math.min(TICK_MS, Math.max(0, budgetMs - charged)));
    },
    get charged() {
      return Math.round(charged);
    },
  };
}
