// Means and deviations of columns. They are frozen when a model begins to learn, so that no later row changes what was learned before.
import type { Arena, Parts } from "./arena.js";
import { between } from "./format.js";

/** Scaled values are limited to this, so that no single row dominates. */
export const LIMIT = 5;

/** No mean and no deviation of values of f32 is larger. */
const LARGEST = 2 ** 128;

/** Checks the statistics of a saved model: a mean and a deviation of each column. @throws LearnError BAD_MODEL */
export function checkStatistics(numbers: readonly number[]): void {
  numbers.forEach((number, index) => {
    const isMean = index % 2 === 0;
    between(isMean ? "a mean" : "a deviation", number, isMean ? -LARGEST : 0, LARGEST);
  });
}

/** Scales consecutive rows in place, given where the mean and the deviation of each column are. */
export function scaleRows(
  { f32, f64 }: Pick<Arena, "f32" | "f64">,
  rows: number,
  count: number,
  columns: number,
  statistics: number,
): void {
  for (let index = 0; index < count * columns; index++) {
    const at = (statistics >> 3) + 2 * (index % columns);
    const value = f32[(rows >> 2) + index]!;
    f32[(rows >> 2) + index] = scaledBy(f64[at]!, f64[at + 1]!, value);
  }
}

/** A value, scaled and limited: finite for every finite value. */
function scaledBy(mean: number, deviation: number, value: number): number {
  if (deviation === 0) return 0;
  return Math.max(-LIMIT, Math.min(LIMIT, (value - mean) / deviation));
}

/** Values from which statistics are computed: those of an age begin at an index. */
export interface RowSource {
  readonly count: number;
  readonly values: Float32Array;
  startOf(age: number): number;
}

/** Scales values: each column has mean 0 and deviation 1 afterwards, and one whose values are all equal is 0. */
export class Scaling {
  readonly columns: number;
  readonly #place: number;
  #f64: Float64Array = new Float64Array();

  constructor(parts: Parts, columns: number) {
    this.columns = columns;
    this.#place = parts.add(2 * columns, 8) >> 3;
  }

  /** Where the mean and the deviation of each column are, in bytes. */
  get statistics(): number {
    return this.#place << 3;
  }

  /** The memory, once it exists. */
  use({ f64 }: Arena): void {
    this.#f64 = f64;
  }

  /** Computes the statistics of consecutive columns, from the oldest row to the youngest. */
  freeze({ count, values, startOf }: RowSource, firstColumn: number, columns: number): void {
    const f64 = this.#f64;
    const first = this.#place + 2 * firstColumn;
    const end = first + 2 * columns;
    f64.fill(0, first, end);
    for (let age = 0; age < count; age++) {
      let from = startOf(age);
      for (let at = first; at < end; at += 2) f64[at] = f64[at]! + values[from++]!;
    }
    for (let at = first; at < end; at += 2) f64[at] = f64[at]! / count;
    for (let age = 0; age < count; age++) {
      let from = startOf(age);
      for (let at = first; at < end; at += 2) {
        const difference = values[from++]! - f64[at]!;
        f64[at + 1] = f64[at + 1]! + difference * difference;
      }
    }
    for (let at = first; at < end; at += 2) {
      const deviation = Math.sqrt(f64[at + 1]! / count);
      // A deviation without a finite inverse is as good as none.
      f64[at + 1] = Number.isFinite(1 / deviation) ? deviation : 0;
    }
  }

  /** A value of a column, scaled and limited: finite for every finite value. */
  scaled(column: number, value: number): number {
    const at = this.#place + 2 * column;
    return scaledBy(this.#f64[at]!, this.#f64[at + 1]!, value);
  }

  mean(column: number): number {
    return this.#f64[this.#place + 2 * column]!;
  }

  deviation(column: number): number {
    return this.#f64[this.#place + 2 * column + 1]!;
  }

  /** Means and deviations, for saving. */
  get numbers(): Float64Array {
    return this.#f64.subarray(this.#place, this.#place + 2 * this.columns);
  }
}
