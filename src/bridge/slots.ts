import type { Clock } from '../protocol/clock.ts';

/**
 * A program that has computed for so long no longer keeps others from starting: its slot goes to who waits longest, and the
 * machine shares its cores among them. A second, because honest programs compute for less. Milliseconds.
 */
export const LONG_MS = 1_000;

/** Who may compute now. First come, first served, and nobody waits behind a program without end. */
export interface Slots {
  /** Calls `granted` when a slot is free, perhaps at once. The returned function gives the slot or the place in the queue back; calling it twice is harmless. */
  request(granted: () => void): () => void;
  /** Counts one more, free or not: a guest timer fires inside the worker and asks nobody. */
  force(): () => void;
  readonly waiting: number;
}

interface Holder {
  readonly since: number;
}

/** At most `size` computing workers, apart from those that do so for more than `LONG_MS`; the others wait in order. */
export function createSlots(size: number, clock: Clock): Slots {
  const queue: { readonly granted: () => void; holder?: Holder }[] = [];
  /** In the order of their start. */
  const holders = new Set<Holder>();
  let cancelLook: (() => void) | undefined;

  function hold(): Holder {
    const holder = { since: clock.now() };
    holders.add(holder);
    return holder;
  }

  function next(): void {
    while (holders.size < size && queue.length > 0) {
      const entry = queue.shift()!;
      entry.holder = hold();
      entry.granted();
    }
    watchLongest();
  }

  /** Only while somebody waits. */
  function watchLongest(): void {
    cancelLook?.();
    cancelLook = undefined;
    const [longest] = holders;
    if (queue.length === 0 || !longest) return;
    cancelLook = clock.schedule(
      () => {
        cancelLook = undefined;
        if (clock.now() - longest.since >= LONG_MS) holders.delete(longest);
        next();
      },
      Math.max(0, longest.since + LONG_MS - clock.now()),
    );
  }

  function release(holder: Holder): void {
    if (holders.delete(holder)) next();
  }

  return {
    request(granted) {
      const entry: (typeof queue)[number] = { granted };
      queue.push(entry);
      next();
      return () => {
        if (entry.holder) return release(entry.holder);
        const index = queue.indexOf(entry);
        if (index >= 0) queue.splice(index, 1);
        if (queue.length === 0) watchLongest();
      };
    },
    force() {
      const holder = hold();
      return () => release(holder);
    },
    get waiting() {
      return queue.length;
    },
  };
}
