// Nearest neighbours: regression and novelty by comparing with every row of a table.
import { type Check, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { finiteScore, type Predictor } from "./model/model.js";
import { checkOutputs, checkRows, notFitted, readOptions } from "./options.js";
import { checkTable, type Table } from "./table.js";

/** How nearest neighbours are compared. */
export interface NeighboursOptions {
  /** The number of neighbours, from 1 to 1,024; default 10. A table with fewer rows has all of them as neighbours. */
  readonly k?: number;
  /**
   * `deviation` divides each column by its deviation in the table, and columns without spread do not count; `none` compares values as they
   * are. Default `deviation`.
   */
  readonly scale?: "deviation" | "none";
}

const CHECKS: Readonly<Record<keyof NeighboursOptions, Check>> = {
  k: isWhole(1, 1024),
  scale: isOneOf(["deviation", "none"]),
};

/** After this many columns, a row that is too far already is left. */
const STRIDE = 8;

/**
 * Predicts rows from the labels of the nearest rows of a table, and says how far these are. There is nothing to train: a row counts as soon
 * as the table has it. Of rows at equal distances, the older ones are the neighbours.
 */
export class Neighbours implements Predictor {
  readonly columns: number;
  readonly k: number;
  readonly #rows: Table;
  readonly #scales: boolean;
  /** What the squared difference of each column counts. */
  readonly #weights: Float64Array;
  #weighed = -1;
  /** The neighbours of a row: their squared distances in ascending order, their places, and how many there are. */
  readonly #distances: Float64Array;
  readonly #places: Int32Array;
  #found = 0;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(rows: Table, options: NeighboursOptions = {}) {
    checkTable(rows);
    const { k = 10, scale } = readOptions<NeighboursOptions>(options, CHECKS);
    this.#rows = rows;
    this.columns = rows.columns;
    this.k = k;
    this.#scales = scale !== "none";
    this.#weights = new Float64Array(rows.columns).fill(1);
    this.#distances = new Float64Array(k);
    this.#places = new Int32Array(k);
  }

  /** The bytes that the model takes besides its table. */
  get bytes(): number {
    return this.#weights.byteLength + this.#distances.byteLength + this.#places.byteLength;
  }

  get fitted(): boolean {
    return this.#rows.count > 0;
  }

  /**
   * Writes the mean label of the neighbours of each of the consecutive rows.
   * @throws LearnError NOT_FITTED for an empty table, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  predictInto(rows: Float32Array, means: Float32Array): void {
    const count = this.#begin(rows, "means", means);
    for (let row = 0; row < count; row++) {
      this.#find(rows, row * this.columns);
      let sum = 0;
      for (let index = 0; index < this.#found; index++) sum += this.#rows.labels[this.#places[index]!]!;
      means[row] = finiteScore(sum / this.#found);
    }
  }

  /**
   * Writes the mean distance of the neighbours of each of the consecutive rows, in deviations unless `scale` is `none`. A row that is in the
   * table itself is its own neighbour.
   * @throws LearnError like `predictInto`
   */
  noveltyInto(rows: Float32Array, novelty: Float32Array): void {
    const count = this.#begin(rows, "novelty", novelty);
    for (let row = 0; row < count; row++) {
      this.#find(rows, row * this.columns);
      let sum = 0;
      for (let index = 0; index < this.#found; index++) sum += Math.sqrt(this.#distances[index]!);
      novelty[row] = finiteScore(sum / this.#found);
    }
  }

  #begin(rows: Float32Array, name: string, outputs: Float32Array): number {
    if (!this.fitted) throw notFitted("a table with rows");
    const count = checkRows("rows", rows, this.columns);
    checkOutputs(name, outputs, count);
    if (this.#scales && this.#weighed !== this.#rows.changes) this.#weigh();
    return count;
  }

  /** The inverse variances of the columns of the table. */
  #weigh(): void {
    const { values, columns, count } = this.#rows;
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let age = 0; age < count; age++) sum += values[this.#rows.place(age) * columns + column]!;
      const mean = sum / count;
      let squares = 0;
      for (let age = 0; age < count; age++) {
        const difference = values[this.#rows.place(age) * columns + column]! - mean;
        squares += difference * difference;
      }
      this.#weights[column] = squares === 0 ? 0 : count / squares;
    }
    this.#weighed = this.#rows.changes;
  }

  #find(rows: Float32Array, start: number): void {
    const { values, columns, count } = this.#rows;
    const { k } = this;
    const distances = this.#distances;
    const weights = this.#weights;
    this.#found = 0;
    let limit = Number.POSITIVE_INFINITY;
    for (let age = 0; age < count; age++) {
      const place = this.#rows.place(age);
      const base = place * columns;
      let distance = 0;
      for (let column = 0; column < columns && distance < limit; ) {
        const end = Math.min(columns, column + STRIDE);
        for (; column < end; column++) {
          const difference = rows[start + column]! - values[base + column]!;
          distance += difference * difference * weights[column]!;
        }
      }
      if (distance >= limit) continue;
      let at = this.#found < k ? this.#found++ : k - 1;
      for (; at > 0 && distances[at - 1]! > distance; at--) {
        distances[at] = distances[at - 1]!;
        this.#places[at] = this.#places[at - 1]!;
      }
      distances[at] = distance;
      this.#places[at] = place;
      if (this.#found === k) limit = distances[k - 1]!;
    }
  }
}
