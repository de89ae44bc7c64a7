// The results of a launch as columns, histograms and CSV.
import type { Elements } from "./data.js";
import type { ShownBuffer } from "./run.js";

/** Elements as numbers, for pictures; integers of 64 bits lose digits. */
export const numbersOf = (values: Elements): ArrayLike<number> =>
  values instanceof BigInt64Array || values instanceof BigUint64Array
    ? Float64Array.from(values, Number)
    : values;

/** Shows a number in few characters. */
export function shortNumber(value: number | bigint): string {
  if (typeof value === "bigint" || !Number.isFinite(value) || Number.isInteger(value)) return `${value}`;
  return `${Number(value.toPrecision(6))}`;
}

/** The counts of values in equal bins; values that are not finite are left out. */
export interface Histogram {
  /** The middle of each bin. */
  readonly centers: readonly number[];
  readonly counts: readonly number[];
}

export function histogram(values: ArrayLike<number>, bins: number): Histogram {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { centers: [], counts: [] };
  const width = (high - low) / bins || 1;
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { centers: counts.map((_, i) => low + (i + 0.5) * width), counts };
}

/** The smallest and largest finite value; both 0 if there is none. */
export function rangeOf(values: ArrayLike<number>): { low: number; high: number } {
  const { centers } = histogram(values, 1);
  if (centers.length === 0) return { low: 0, high: 0 };
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** Buffers as CSV with a line of names; shorter ones end with empty cells. */
export function resultsCsv(buffers: readonly ShownBuffer[]): string {
  const length = Math.max(0, ...buffers.map(({ values }) => values.length));
  const rows = Array.from({ length }, (_, i) =>
    [i, ...buffers.map(({ values }) => values[i] ?? "")].join(","),
  );
  return `${[["index", ...buffers.map(({ name }) => name)].join(","), ...rows].join("\n")}\n`;
}
