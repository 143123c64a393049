/** Where a ruler of time has its marks. Pure. */

/** Steps that people count in, ms; above, hours and days. */
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
  3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/** More marks than this are a pattern, no ruler. */
export const MAX_TICKS = 5;

/** The step between marks of a span, ms: a round one that gives at most `MAX_TICKS`. */
export function tickStep(spanMs: number): number {
  const wanted = spanMs / MAX_TICKS;
  const last = STEPS.at(-1) ?? 1;
  return STEPS.find((step) => step >= wanted) ?? last * Math.ceil(wanted / last);
}

/** Times of the marks after the beginning, ms. */
export function ticksOf(spanMs: number): readonly number[] {
  const step = tickStep(spanMs);
  return Array.from({ length: Math.floor(spanMs / step) }, (_, index) => (index + 1) * step);
}
