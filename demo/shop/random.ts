/** A small seeded generator, so that every visit and every "Reset data" shows the same shop. */
export interface Random {
  /** A fraction in [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  /** True in about `share` of the calls. */
  chance(share: number): boolean;
}

/**
 * Weyl sequence through a 32-bit finaliser: passes for dice in a demo, not for secrets.
 * @param seed any whole number
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('pick needs at least one item');
      return item;
    },
    chance: (share) => next() < share,
  };
}
