// Means and deviations of columns. They are frozen when a model begins to learn, so that no later row changes what was learned before.
import type { Table } from "../table.js";
import { type Arena, doublesAt, type Parts } from "./arena.js";
import { finiteScore, limited } from "./model.js";

/** Scaled values are limited to this, so that no single row dominates. */
export const LIMIT = 5;

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
  return deviation === 0 ? 0 : limited((value - mean) / deviation, LIMIT);
}

const square = (value: number): number => value * value;

/**
 * Computes the mean and the deviation of each column, from the oldest row to the youngest.
 * @param ring the table whose rows or labels these are, unless rows begin with the first
 */
export function measureColumns(
  statistics: Float64Array,
  values: Float32Array,
  count: number,
  ring?: Table,
): void {
  const columns = statistics.length / 2;
  const start = (ring?.place(0) ?? 0) * columns;
  const end = count * columns;
  // Two columns at a time, whose sums do not wait for each other; if there is one, it is computed twice. A ring is in two pieces.
  for (let a = 0; a < columns; a += 2) {
    const next = a + 1 < columns ? 1 : 0;
    let [sumA, sumB] = [0, 0];
    for (let at = start + a; at < end; at += columns) {
      sumA += values[at]!;
      sumB += values[at + next]!;
    }
    for (let at = a; at < start; at += columns) {
      sumA += values[at]!;
      sumB += values[at + next]!;
    }
    const [meanA, meanB] = [sumA / count, sumB / count];
    [sumA, sumB] = [0, 0];
    for (let at = start + a; at < end; at += columns) {
      sumA += square(values[at]! - meanA);
      sumB += square(values[at + next]! - meanB);
    }
    for (let at = a; at < start; at += columns) {
      sumA += square(values[at]! - meanA);
      sumB += square(values[at + next]! - meanB);
    }
    statistics.set([meanA, deviationOf(sumA / count)], 2 * a);
    statistics.set([meanB, deviationOf(sumB / count)], 2 * (a + next));
  }
}

/** A deviation without a finite inverse is as good as none. */
function deviationOf(variance: number): number {
  const deviation = Math.sqrt(variance);
  return Number.isFinite(1 / deviation) ? deviation : 0;
}

/** Scales values: each column has mean 0 and deviation 1 afterwards, and one whose values are all equal is 0. */
export class Scaling {
  /** Where the mean and the deviation of each column are, in bytes. */
  readonly statistics: number;
  readonly #count: number;
  /** The mean and the deviation of each column, once there is memory. */
  numbers: Float64Array = new Float64Array();

  constructor(parts: Parts, columns: number) {
    this.#count = 2 * columns;
    this.statistics = parts.add(8 * this.#count);
  }

  /** The memory, once it exists. */
  use(arena: Arena): void {
    this.numbers = doublesAt(arena, this.statistics, this.#count);
  }

  /** Computes the statistics of rows and of their labels. @param ring as of `measureColumns` */
  freeze(rows: Float32Array, labels: Float32Array, count: number, ring?: Table): void {
    measureColumns(this.numbers.subarray(0, -2), rows, count, ring);
    measureColumns(this.numbers.subarray(-2), labels, count, ring);
  }

  /** A label from a scaled one, which is finite as f32. */
  label(scaled: number): number {
    const mean = this.numbers[this.#count - 2]!;
    return finiteScore(mean + scaled * this.numbers[this.#count - 1]!, mean);
  }

  /** A value of a column, scaled and limited: finite for every finite value. */
  scaled(column: number, value: number): number {
    return scaledBy(this.numbers[2 * column]!, this.numbers[2 * column + 1]!, value);
  }
}
