// Order statistics and histograms of whole numbers for the table and the picture.

/** The minimum, median and maximum of some values. */
export interface Range {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/**
 * `undefined` if there are no values. The median of an even count is the lower of the two middle ones, so it is a real
 * value.
 */
export function rangeOf(values: readonly number[]): Range | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  return { min: sorted[0]!, median: sorted[(sorted.length - 1) >> 1]!, max: sorted[sorted.length - 1]! };
}

/** A bar of a histogram: the values from `from` up to, not including, `to`. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * Bins of equal width that cover all values, at most `most` of them. The width is the step between values, doubled as
 * often as needed, so that no bin is empty merely because no value can fall into it.
 */
export function histogram(values: readonly number[], most: number): Bin[] {
  const range = rangeOf(values);
  if (range === undefined) return [];
  const { min, max } = range;
  let width = stepOf(values, min);
  while (Math.floor((max - min) / width) >= most) width *= 2;
  const counts = new Array<number>(Math.floor((max - min) / width) + 1).fill(0);
  for (const value of values) counts[Math.floor((value - min) / width)]!++;
  return counts.map((count, i) => ({ from: min + i * width, to: min + (i + 1) * width, count }));
}

/** The greatest common divisor of the distances from the smallest value; 1 if all values are equal. */
function stepOf(values: readonly number[], min: number): number {
  let step = 0;
  for (const value of values) {
    let [a, b] = [step, value - min];
    while (b !== 0) [a, b] = [b, a % b];
    step = a;
  }
  return Math.max(1, step);
}
