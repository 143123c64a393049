/** Whether a figure grows: the slope of a line through the last two thirds of its samples. */

/** @returns growth of `y` per `x` (least squares) */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** The first third warms up: code is compiled, pools fill. */
export function lastTwoThirds<T>(samples: readonly T[]): readonly T[] {
  return samples.slice(Math.floor(samples.length / 3));
}
