// Where numbers are on an axis, and which of them are labelled.
import { scaleLinear, scaleLog } from "d3-scale";
import { tick } from "./words.js";

/** How numbers become places on an axis. */
export type ScaleKind = "linear" | "log";

export interface Tick {
  /** The place on the axis, in pixels. */
  readonly at: number;
  readonly label: string;
}

export interface Scale {
  /** The place of a number in pixels; NaN for a number that has none. */
  at(value: number): number;
  readonly ticks: readonly Tick[];
}

export interface ScaleRules {
  readonly kind: ScaleKind;
  /** About how many ticks there should be. */
  readonly ticks: number;
  /** Whether the ends of the axis are round numbers. */
  readonly isRound?: boolean;
  /** Whether all numbers are whole. */
  readonly isWhole?: boolean;
  /** Writes the labels. */
  readonly words?: (value: number) => string;
}

/** The finite numbers between which all others are; on a logarithmic axis only positive ones count. */
export class Extent {
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;
  /** How many numbers were 0 or below on a logarithmic axis. */
  belowLog = 0;
  readonly #kind: ScaleKind;

  constructor(kind: ScaleKind) {
    this.#kind = kind;
  }

  add(value: number): void {
    if (!Number.isFinite(value)) return;
    if (this.#kind === "log" && value <= 0) {
      this.belowLog++;
      return;
    }
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
  }

  get isEmpty(): boolean {
    return this.least > this.most;
  }
}

/**
 * The scale of an axis from the pixel `from` to the pixel `to`. Numbers that a logarithmic axis cannot have, 0 and below, are at its lower
 * end, which is labelled 0, a tenth of the axis away from the others.
 */
export function positionScale(extent: Extent, from: number, to: number, rules: ScaleRules): Scale {
  return rules.kind === "log" ? logScale(extent, from, to, rules) : linearScale(extent, from, to, rules);
}

/** Axes end here at the latest, because their lengths have to be numbers as well. */
const FARTHEST = 1e300;
const clamped = (value: number): number => Math.max(-FARTHEST, Math.min(value, FARTHEST));

function linearScale(extent: Extent, from: number, to: number, rules: ScaleRules): Scale {
  const { ticks: count, isRound = false, isWhole = false } = rules;
  const [least, most] = widened(extent);
  // All labels of an axis are written in the same way.
  const largest = Math.max(Math.abs(least), Math.abs(most));
  const { words = (value) => tick(value, largest < 5e-3 ? "log" : "linear", largest) } = rules;
  const scale = scaleLinear().domain([least, most]).range([from, to]);
  if (isRound) scale.nice(count);
  const ticks = scale
    .ticks(count)
    .filter((value) => !isWhole || Number.isInteger(value))
    .map((value) => ({ at: scale(value), label: words(value) }));
  const [start, end] = scale.domain() as [number, number];
  // What is much farther away would have no place in pixels.
  const margin = Math.min(1e6 * (end - start), FARTHEST);
  const at = (value: number): number =>
    scale(Math.max(start - margin, Math.min(clamped(value), end + margin)));
  return { at: (value) => (Number.isFinite(value) ? at(value) : Number.NaN), ticks };
}

function logScale(extent: Extent, from: number, to: number, rules: ScaleRules): Scale {
  const { ticks: count, isRound = false, words = (value) => tick(value, "log") } = rules;
  const zero = from;
  const start = extent.belowLog > 0 ? from + 0.1 * (to - from) : from;
  const [least, most] = extent.isEmpty ? [1, 10] : widenedRatio(extent);
  const scale = scaleLog().domain([least, most]).range([start, to]);
  // Within a power of ten, round ends would leave most of the axis empty.
  if (isRound && most / least > 10) scale.nice();
  const ticks = logTicks(scale.domain()[0]!, scale.domain()[1]!, count).map((value) => ({
    at: scale(value),
    label: words(value),
  }));
  if (extent.belowLog > 0) ticks.unshift({ at: zero, label: "0" });
  return {
    at: (value) => (Number.isFinite(value) ? (value <= 0 ? zero : scale(value)) : Number.NaN),
    ticks,
  };
}

/** Powers of ten, or round numbers where there are less than two of those. */
export function logTicks(least: number, most: number, count: number): number[] {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(most) + 1e-9);
  const powers = last - first + 1;
  if (powers >= 2) {
    const step = Math.max(1, Math.ceil(powers / (count + 1)));
    return Array.from({ length: Math.ceil(powers / step) }, (_, i) => Number(`1e${first + i * step}`));
  }
  const digits = [1, 2, 3, 5, 7];
  const few = [first - 1, first, last + 1]
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((value, i, all) => value >= least && value <= most && all.indexOf(value) === i);
  return few.length >= 2 ? few : scaleLinear().domain([least, most]).ticks(count);
}

/** The ends of an axis; equal numbers are in its middle. */
function widened({ least, most, isEmpty }: Extent): [number, number] {
  if (isEmpty) return [0, 1];
  const [low, high] = [clamped(least), clamped(most)];
  const size = Math.max(Math.abs(high), Math.abs(low));
  // Ticks have no place between numbers that are hardly above 0.
  if (size < 1e-290) return [low - 1, high + 1];
  if (high - low > size * 1e-12) return [low, high];
  return [low - 0.1 * size, high + 0.1 * size];
}

function widenedRatio({ least, most }: Extent): [number, number] {
  const low = Math.max(least, 1e-300);
  return most > low * (1 + 1e-9) ? [low, most] : [low / 3, Math.max(low * 3, 1e-299)];
}
