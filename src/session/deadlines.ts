import type { Clock } from '../protocol/clock.ts';

/** Deadlines of one length: a thousand calls, at once or one after another, need one timer of the host. */
export interface Deadlines {
  /** Calls `late` once the time is over; the returned function takes it back. */
  start(late: () => void): () => void;
  /** Takes all of them back, and the timer. */
  close(): void;
}

interface Entry {
  /** When it was started, in the time of `clock.now`. */
  readonly since: number;
  late: (() => void) | undefined;
}

/** @param ms how long each lasts */
export function createDeadlines(clock: Clock, ms: number): Deadlines {
  // In the order they were started, which is the order in which they are due.
  let queue: Entry[] = [];
  let head = 0;
  let open = 0;
  // One timer, which stays when its deadline is taken back: most are, and the next one is due later anyway.
  let cancel: (() => void) | undefined;
  let timedFrom = 0;

  function time(since: number, wait: number): void {
    timedFrom = since;
    cancel = clock.schedule(fire, wait);
  }

  function fire(): void {
    const from = timedFrom;
    // Those that start meanwhile are seen here.
    cancel = () => {};
    for (let entry = queue[head]; entry; entry = queue[head]) {
      // Measured from start to start, so that a clock that was set meanwhile moves none of them.
      const wait = entry.since - from;
      if (entry.late && wait > 0) return time(entry.since, Math.min(wait, ms));
      head++;
      settle(entry);
    }
    cancel = undefined;
  }

  function settle(entry: Entry): void {
    const { late } = entry;
    if (!late) return;
    entry.late = undefined;
    leave();
    late();
  }

  function leave(): void {
    if (--open > 0) return;
    queue = [];
    head = 0;
  }

  return {
    start(late) {
      const entry: Entry = { since: clock.now(), late };
      // A clock that was set back would make this one due too early.
      if (open === 0 && entry.since < timedFrom) {
        cancel?.();
        cancel = undefined;
      }
      queue.push(entry);
      open++;
      if (!cancel) time(entry.since, ms);
      return () => {
        if (!entry.late) return;
        entry.late = undefined;
        leave();
      };
    },
    close() {
      cancel?.();
      cancel = undefined;
      queue = [];
      head = 0;
      open = 0;
    },
  };
}
