/** A generator that gives the same numbers for the same seed, on every platform. */

export interface Random {
  /** A whole number from 0 to `below`, without it. */
  below(below: number): number;
  /** One of them, by weight. */
  pick<T extends { readonly weight: number }>(items: readonly T[]): T;
}

/** @param seed 32 bits (mulberry32) */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (below) => Math.floor(next() * below),
    pick(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? items[items.length - 1]!;
    },
  };
}
