// Samples in a few numbers.

/** What is said of many samples of one thing. */
export interface Summary {
  readonly min: number;
  readonly median: number;
  /** Nineteen of twenty are at most this. */
  readonly p95: number;
  /** How far the middle half of them lies apart, as a share of the median. */
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

/** Between two samples on the line through them. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}
