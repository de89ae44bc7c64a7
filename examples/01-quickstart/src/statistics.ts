// Order statistics and histograms of whole numbers, as the table and the picture show them.

/** The least, middle and greatest of some values. */
export interface Range {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** `undefined` for no values. The median of an even count is the lower of the two in the middle, so it really occurred. */
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

/** Bins of one round width that cover all values, at most `most` of them where the values allow it. */
export function histogram(values: readonly number[], most: number, finest = 1): Bin[] {
  const range = rangeOf(values);
  if (range === undefined) return [];
  const width = binWidth((range.max - range.min + finest) / most, finest);
  const start = Math.floor(range.min / width) * width;
  const counts = new Array<number>(Math.floor((range.max - start) / width) + 1).fill(0);
  for (const value of values) counts[Math.floor((value - start) / width)]!++;
  return counts.map((count, i) => ({ from: start + i * width, to: start + (i + 1) * width, count }));
}

/** The least of 1, 2, 4, 8 … times `finest` that is not under `wanted`: the steps in which registers and code sizes come. */
function binWidth(wanted: number, finest: number): number {
  let width = finest;
  while (width < wanted) width *= 2;
  return width;
}
