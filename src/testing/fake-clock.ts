import type { Clock } from '../protocol/clock.ts';

/** A clock that a test moves. */
export interface FakeClock extends Clock {
  /** Moves time and calls what is due, in order. */
  advance(ms: number): void;
}

export function createFakeClock(start = 1_000_000): FakeClock {
  let time = start;
  const due: { at: number; callback: () => void }[] = [];
  return {
    now: () => time,
    schedule(callback, ms) {
      const entry = { at: time + ms, callback };
      due.push(entry);
      return () => {
        const index = due.indexOf(entry);
        if (index >= 0) due.splice(index, 1);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const next = due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        due.splice(due.indexOf(next), 1);
        time = Math.max(time, next.at);
        next.callback();
      }
      time = end;
    },
  };
}
