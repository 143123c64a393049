/** Time as a dependency, so that tests can own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `callback` after `ms`; the returned function cancels. */
  schedule(callback: () => void, ms: number): () => void;
}
