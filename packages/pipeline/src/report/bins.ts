// Histograms of any numbers: bins of equal width, or of equal ratio where the numbers span several powers of ten.
import { roundStep } from "./figures.js";

/** A bar of a histogram: the values from `from` up to, not including, `to`. The last bin also has its end. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** What a histogram shows. */
export interface Histogram {
  readonly bins: readonly Bin[];
  readonly isLogarithmic: boolean;
  /** The distance of whole numbers of which each has its own bin. */
  readonly step?: number;
  /** Values of 0, which a logarithmic axis has no place for. */
  readonly zeros: number;
  /** NaN and infinite values. */
  readonly notFinite: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** From this ratio of the greatest to the least positive value on, bins have equal ratios. */
const LOGARITHMIC_FROM = 1000;
/** Positive numbers below this count as 0, and distances as none: powers of ten cannot bound all of them. */
const LEAST_POSITIVE = 1e-300;

/** The histogram of some values, with at most `most` bins; `undefined` if none of them is finite. */
export function histogramOf(values: ArrayLike<number>, most: number): Histogram | undefined {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  if (sorted.length === 0) return undefined;
  const notFinite = values.length - sorted.length;
  const [least, last] = [sorted[0]!, sorted.at(-1)!];
  // The lower of two middle values, so that it is a real one.
  const median = sorted[(sorted.length - 1) >> 1]!;
  const zeros = firstAbove(sorted, LEAST_POSITIVE);
  const positive = sorted.subarray(zeros);
  const common = { notFinite, least, median, most: last };
  // Some outliers in both directions are no reason for another axis.
  const isLogarithmic =
    positive.length >= sorted.length / 2 && least >= 0 && last / positive[0]! >= LOGARITHMIC_FROM;
  if (isLogarithmic) return { bins: ratioBins(positive, most), isLogarithmic, zeros, ...common };
  return { ...equalBins(sorted, most), isLogarithmic, zeros: 0, ...common };
}

function equalBins(sorted: Float64Array, most: number): Pick<Histogram, "bins" | "step"> {
  const [least, last] = [sorted[0]!, sorted.at(-1)!];
  const step = commonStep(sorted);
  if (step !== undefined) {
    let width = step;
    while (Math.floor((last - least) / width) >= most) width *= 2;
    const all = edges(Math.floor((last - least) / width) + 1, (i) => least + i * width);
    return { bins: count(sorted, all), ...(width === step ? { step } : {}) };
  }
  // The whole range may be beyond the greatest number.
  const share = last / (most - 2) - least / (most - 2);
  if (share < Math.max(LEAST_POSITIVE, Math.abs(last) * 1e-12))
    return { bins: [{ from: least, to: last, count: sorted.length }] };
  const width = roundStep(share);
  const first = Math.floor(least / width);
  const bins = Math.min(most, Math.floor(last / width) - first + 1);
  return {
    bins: count(
      sorted,
      edges(bins, (i) => Number(((first + i) * width).toPrecision(12))),
    ),
  };
}

/** Bins that are whole parts of powers of ten. */
function ratioBins(sorted: Float64Array, most: number): Bin[] {
  const [least, last] = [Math.log10(sorted[0]!), Math.log10(sorted.at(-1)!)];
  const share = (last - least) / (most - 2);
  const width = [0.1, 0.2, 0.25, 0.5, 1].find((each) => each >= share) ?? roundStep(share);
  const first = Math.floor(least / width);
  return count(
    sorted,
    edges(Math.floor(last / width) - first + 1, (i) =>
      Math.min(10 ** ((first + i) * width), Number.MAX_VALUE),
    ),
  );
}

/** The edges of bins. The outer ones may be beyond the greatest numbers. */
const edges = (bins: number, edge: (i: number) => number): number[] =>
  Array.from({ length: bins + 1 }, (_, i) =>
    Math.max(-Number.MAX_VALUE, Math.min(edge(i), Number.MAX_VALUE)),
  );

/** Counts sorted values between edges. The first and the last bin have everything beyond. */
function count(sorted: Float64Array, bounds: readonly number[]): Bin[] {
  let done = 0;
  return bounds.slice(1).map((to, i): Bin => {
    const end = i === bounds.length - 2 ? sorted.length : firstNotBelow(sorted, to);
    const bin = { from: bounds[i]!, to, count: end - done };
    done = end;
    return bin;
  });
}

/** The greatest common divisor of the distances of whole numbers, so that no bin is empty for want of a value; 1 if all are equal. */
function commonStep(sorted: Float64Array): number | undefined {
  let step = 0;
  for (const value of sorted) {
    if (!Number.isSafeInteger(value)) return undefined;
    let [a, b] = [step, value - sorted[0]!];
    while (b !== 0) [a, b] = [b, a % b];
    step = a;
  }
  return Math.max(1, step);
}

const firstAbove = (sorted: Float64Array, limit: number): number => search(sorted, (value) => value > limit);
const firstNotBelow = (sorted: Float64Array, limit: number): number =>
  search(sorted, (value) => value >= limit);

function search(sorted: Float64Array, isBeyond: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBeyond(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
