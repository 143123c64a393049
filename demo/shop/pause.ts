import { createRandom } from './random.ts';

/** Waits like a back end would. Rejects with the signal's reason as soon as it is aborted. */
export type Pause = (ms: readonly [low: number, high: number], signal: AbortSignal) => Promise<void>;

/**
 * @param scale multiplies every wait; 0 answers at once (tests)
 */
export function createPause(scale = 1): Pause {
  const random = createRandom(11);
  return ([low, high], signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, random.between(low, high) * scale);
      signal.addEventListener('abort', stop, { once: true });
    });
}
