// Summary statistics of samples.

/** A summary of many samples. */
export interface Summary {
  readonly min: number;
  readonly median: number;
  /** The 95th percentile. */
  readonly p95: number;
  /** The interquartile range as a fraction of the median. */
  readonly spread: number;
}

/** @param samples at least one, in any order */
export function summarize(samples: readonly number[]): Summary {
  const sorted = Float64Array.from(samples).sort();
  const median = quantile(sorted, 0.5);
  const middle = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return {
    min: sorted[0]!,
    median,
    p95: quantile(sorted, 0.95),
    spread: middle === 0 ? 0 : middle / median,
  };
}

/** Interpolates linearly between neighboring samples. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}
