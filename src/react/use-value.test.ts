import { describe, expect, it } from 'vitest';
import { fits } from './use-value.ts';

describe('fits', () => {
  it('accepts values up to the limit, and cycles', () => {
    expect(fits([1, 2, 3], 4)).toBe(true);
    expect(fits([1, 2, 3], 3)).toBe(false);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(fits(cycle)).toBe(true);
    expect(fits(new Map([['a', [1]]]), 3)).toBe(true);
    expect(fits(new Uint8Array(5_000_000))).toBe(true);
  });

  it('refuses at once what shares references in every layer', () => {
    let value: unknown = 1;
    for (let at = 0; at < 60; at += 1) value = [value, value];
    const start = performance.now();
    expect(fits(value)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
