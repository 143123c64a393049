import type { Clock } from '../protocol/clock.ts';

/** Deadlines of one length: a thousand calls at once need one timer of the host. */
export interface Deadlines {
  /** Calls `late` once the time is over; the returned function takes it back. */
  start(late: () => void): () => void;
}

interface Entry {
  /** When it was started, in the time of `clock.now`. */
  readonly since: number;
  late: (() => void) | undefined;
}

/** @param ms how long each lasts */
export function createDeadlines(clock: Clock, ms: number): Deadlines {
  // In the order they were started, which is the order in which they are due. The first has the timer.
  let queue: Entry[] = [];
  let head = 0;
  let open = 0;
  let cancel: (() => void) | undefined;

  function fire(): void {
    cancel = undefined;
    const first = queue[head++];
    if (!first) return;
    settle(first);
    for (;;) {
      const next = queue[head];
      if (!next) return clear();
      // Measured from start to start, so that a clock that was set meanwhile moves none of them.
      const wait = next.since - first.since;
      if (next.late && wait > 0) {
        cancel = clock.schedule(fire, Math.min(wait, ms));
        return;
      }
      head++;
      settle(next);
    }
  }

  function settle(entry: Entry): void {
    const { late } = entry;
    if (!late) return;
    entry.late = undefined;
    open--;
    late();
  }

  function clear(): void {
    cancel?.();
    cancel = undefined;
    queue = [];
    head = 0;
  }

  return {
    start(late) {
      const entry: Entry = { since: clock.now(), late };
      queue.push(entry);
      open++;
      cancel ??= clock.schedule(fire, ms);
      return () => {
        if (!entry.late) return;
        entry.late = undefined;
        if (--open === 0) clear();
      };
    },
  };
}
