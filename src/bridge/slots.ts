/** Who may compute now. First come, first served. */
export interface Slots {
  /** Calls `granted` when a slot is free, perhaps at once. The returned function gives the slot or the place in the queue back; calling it twice is harmless. */
  request(granted: () => void): () => void;
  /** Counts one more, free or not: a guest timer fires inside the worker and asks nobody. */
  force(): () => void;
  readonly waiting: number;
}

/** At most `size` computing workers; the others wait in order. */
export function createSlots(size: number): Slots {
  const queue: { granted: () => void; held: boolean }[] = [];
  let used = 0;

  function next(): void {
    while (used < size && queue.length > 0) {
      const entry = queue.shift();
      if (!entry) return;
      used++;
      entry.held = true;
      entry.granted();
    }
  }

  function release(): void {
    used--;
    next();
  }

  return {
    request(granted) {
      const entry = { granted, held: false };
      queue.push(entry);
      next();
      let returned = false;
      return () => {
        if (returned) return;
        returned = true;
        if (entry.held) release();
        else queue.splice(queue.indexOf(entry), 1);
      };
    },
    force() {
      used++;
      let returned = false;
      return () => {
        if (returned) return;
        returned = true;
        release();
      };
    },
    get waiting() {
      return queue.length;
    },
  };
}
