import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_TICKS, tickStep, ticksOf } from './ticks.ts';

it('marks round times, a few of them, all within the span', () => {
  expect(ticksOf(4_800)).toEqual([1_000, 2_000, 3_000, 4_000]);
  expect(ticksOf(410)).toEqual([100, 200, 300, 400]);
  expect(ticksOf(90_000)).toEqual([20_000, 40_000, 60_000, 80_000]);
  expect(ticksOf(1)).toEqual([1]);
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e12, noNaN: true }), (span) => {
      const ticks = ticksOf(span);
      expect(ticks.length).toBeLessThanOrEqual(MAX_TICKS);
      expect(ticks.length).toBeGreaterThanOrEqual(1);
      expect(ticks.at(-1)).toBeLessThanOrEqual(span);
      expect(ticks[0]).toBe(tickStep(span));
    }),
  );
});
