/** Lets at most `size` calls through at a time, first come first served. */
export interface CallGate {
  /** Resolves when the call may start; `undefined` when it may at once. */
  enter(): Promise<void> | undefined;
  leave(): void;
}

export function createCallGate(size: number): CallGate {
  let inside = 0;
  const queue: (() => void)[] = [];
  return {
    enter() {
      if (inside < size) {
        inside++;
        return undefined;
      }
      return new Promise<void>((resolve) => queue.push(resolve));
    },
    leave() {
      const next = queue.shift();
      if (next) next();
      else inside--;
    },
  };
}
