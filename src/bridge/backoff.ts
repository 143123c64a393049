import type { Clock } from '../protocol/clock.ts';
import type { WorkerFault } from './worker-port.ts';

// Two crashes in a row happen to honest programs; from the third on something is wrong with the place itself.
const FREE_FAILURES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Counts workers that died or never came up, and says when to try again. */
export interface Backoff {
  /** @param sessionId whose program it was; however often one session breaks its workers, it counts once: the others must not pay. */
  failed(reason: string, sessionId?: string): void;
  /** A program got its reply: all is well. */
  succeeded(): void;
  /** Why no worker is started now, or `undefined` when one may be. */
  refusal(): WorkerFault | undefined;
}

/** From the third failure in a row on: 0.5 s, 1 s, 2 s … at most 30 s without a new worker. */
export function createBackoff(clock: Clock): Backoff {
  let failures = 0;
  let until = 0;
  let last = '';
  const blamed = new Set<string>();

  return {
    failed(reason, sessionId) {
      last = reason;
      if (sessionId !== undefined && blamed.has(sessionId)) return;
      if (sessionId !== undefined) blamed.add(sessionId);
      failures++;
      if (failures > FREE_FAILURES)
        until = clock.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_FAILURES - 1));
    },
    succeeded() {
      blamed.clear();
      failures = 0;
      until = 0;
    },
    refusal() {
      const retryInMs = Math.ceil(until - clock.now());
      if (failures <= FREE_FAILURES || retryInMs <= 0) return undefined;
      return {
        code: 'executor_unavailable',
        message: `The last ${failures} workers failed, so none is started for another ${retryInMs} ms. The last one: ${last}`,
        data: { failures, retryInMs },
      };
    },
  };
}
