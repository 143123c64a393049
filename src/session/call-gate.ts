import { RunOver } from './call-failure.ts';
import type { RunEnding } from './run-scope.ts';

/** Lets at most `size` calls through at a time, first come first served. */
export interface CallGate {
  /** Resolves when the call may start; `undefined` when it may at once. Rejects with RunOver, and then nobody has entered. */
  enter(): Promise<void> | undefined;
  leave(): void;
}

interface Waiting {
  resolve(): void;
  reject(error: RunOver): void;
}

export function createCallGate(size: number, ending: RunEnding): CallGate {
  let inside = 0;
  let queue: Waiting[] = [];
  ending.onEnd(() => {
    const waiting = queue;
    queue = [];
    for (const { reject } of waiting) reject(new RunOver());
  });
  return {
    enter() {
      if (inside < size) {
        inside++;
        return undefined;
      }
      if (ending.over) return Promise.reject(new RunOver());
      return new Promise<void>((resolve, reject) => queue.push({ resolve, reject }));
    },
    leave() {
      const next = queue.shift();
      if (next) next.resolve();
      else inside--;
    },
  };
}
