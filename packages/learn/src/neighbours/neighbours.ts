// Nearest neighbours: regression and novelty by comparison with every row of a table.
import { isOneOf, isWhole } from "@mm-ptx/types/internal";
import { Arena, Parts } from "../model/arena.js";
import { type Backend, type ComputeOptions, chooseBackend, computeOptions } from "../model/backend.js";
import { finiteScore, limited, type Predictor } from "../model/model.js";
import { measureColumns } from "../model/scaling.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkFitted, checkOutputs, countRows } from "../options.js";
import { checkTable, checkTableFinite, type Table } from "../table.js";
import { JavaScriptNeighbours } from "./javascript.js";
import {
  BLOCK_ROWS,
  MOST,
  type NeighboursKernels,
  type NeighboursPlaces,
  placeNeighbours,
  QUERIES,
  strideOf,
} from "./layout.js";
import { webAssemblyNeighbours } from "./webassembly.js";

/** How nearest neighbours are compared. */
export interface NeighboursOptions extends ComputeOptions {
  /** The number of neighbours, from 1 to 1,024; default 10. In a table with fewer rows, all of them are neighbours. */
  readonly k?: number;
  /**
   * `deviation` divides each column by its deviation in the table and ignores columns whose values are all equal; `none` compares values as
   * they are. Default `deviation`.
   */
  readonly scale?: "deviation" | "none";
}

const CHECKS = {
  k: isWhole(1, 1024),
  scale: isOneOf(["deviation", "none"]),
};
const DEFAULTS = { k: 10, scale: "deviation" };

/**
 * Predicts labels from those of the nearest rows in a table, and says how far away these are. There is nothing to train: after the table
 * has changed, the next prediction copies its rows. Of rows at equal distances, the older ones are the neighbours. Scaled values are
 * limited to 1e18.
 */
export class Neighbours implements Predictor {
  readonly columns: number;
  readonly k: number;
  readonly backend: Backend;
  readonly #rows: Table;
  readonly #scales: boolean;
  readonly #native: NativeModel | undefined = undefined;
  readonly #arena: Arena;
  readonly #places: NeighboursPlaces;
  readonly #kernels: NeighboursKernels;
  /** For each column, its mean and the inverse of its deviation. */
  readonly #statistics: Float64Array;
  /** The state of the table when its rows were copied. */
  #copied = -1;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(rows: Table, options: NeighboursOptions = {}) {
    checkTable(rows);
    const taken = computeOptions<NeighboursOptions>(options, CHECKS, DEFAULTS);
    const { k, scale, backend, workers } = taken;
    const { columns, capacity } = rows;
    this.#rows = rows;
    this.columns = columns;
    this.k = k;
    this.backend = chooseBackend(backend);
    this.#scales = scale !== "none";
    const shape = { columns, capacity, k };
    const parts = new Parts();
    this.#places = placeNeighbours(parts, shape);
    const statistics = parts.add(16 * columns) >> 3;
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native") {
      this.#native = new NativeModel("neighbours", [columns, capacity, k, Number(!this.#scales)], workers);
      this.#arena = this.#native.arena;
      this.#kernels = new JavaScriptNeighbours(this.#arena, this.#places, shape);
      this.#statistics = new Float64Array();
      return;
    }
    this.#arena = new Arena(parts.bytes, this.backend === "webassembly");
    this.#kernels =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.backend === "webassembly"
        ? webAssemblyNeighbours(this.#arena, this.#places, shape)
        : new JavaScriptNeighbours(this.#arena, this.#places, shape);
    this.#statistics = this.#arena.f64.subarray(statistics, statistics + 2 * columns);
    for (let column = 0; column < columns; column++) this.#statistics[2 * column + 1] = 1;
  }

  /** The bytes that the model takes besides its table; they never change. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  get fitted(): boolean {
    return this.#rows.count > 0;
  }

  /**
   * Writes the mean label of the neighbours of each of the consecutive rows.
   * @throws LearnError NOT_FITTED for an empty table, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  predictInto(rows: Float32Array, means: Float32Array): void {
    this.#write(rows, "means", means, false);
  }

  /**
   * Writes the mean distance of the neighbours of each of the consecutive rows, in deviations unless `scale` is `none`. A row that is in the
   * table itself is its own neighbour.
   * @throws LearnError like `predictInto`
   */
  noveltyInto(rows: Float32Array, novelty: Float32Array): void {
    this.#write(rows, "novelty", novelty, true);
  }

  /** Writes the mean label of the neighbours of each row, or their mean distance. */
  #write(rows: Float32Array, name: string, results: Float32Array, isNovelty: boolean): void {
    checkFitted(this, "a table with rows");
    const count = countRows("rows", rows, this.columns);
    checkOutputs(name, results, count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.#native === undefined)
      checkFinite("rows", rows, this.columns);
    if (this.#copied !== this.#rows.changes) this.#copy();
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, this.columns, results, isNovelty);
      return;
    }
    const { f32, i32 } = this.#arena;
    const { labels } = this.#rows;
    const query = this.#places.query >> 2;
    const nearest = this.#places.nearest >> 2;
    const ages = this.#places.ages >> 2;
    const found = Math.min(this.#rows.count, this.k);
    for (let row = 0; row < count; row += QUERIES) {
      const queries = Math.min(QUERIES, count - row);
      for (let index = 0; index < queries * this.columns; index++) {
        f32[query + index] = this.#scaled(index % this.columns, rows[row * this.columns + index]!);
      }
      this.#kernels.find(this.#rows.count, queries);
      for (let one = 0; one < queries; one++) {
        const start = one * strideOf(this.k);
        let sum = 0;
        for (let index = start; index < start + found; index++) {
          sum += isNovelty ? Math.sqrt(f32[nearest + index]!) : labels[this.#rows.place(i32[ages + index]!)]!;
        }
        results[row + one] = finiteScore(sum / found);
      }
    }
  }

  /** Copies the rows of the table, scaled. */
  #copy(): void {
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.fit(this.#rows);
      this.#copied = this.#rows.changes;
      return;
    }
    checkTableFinite(this.#rows);
    const { values, columns, count } = this.#rows;
    const { f32 } = this.#arena;
    const rows = this.#places.rows >> 2;
    if (this.#scales) {
      const statistics = this.#statistics;
      measureColumns(statistics, values, count, this.#rows);
      // Each deviation becomes its inverse; 0 stays 0.
      for (let at = 1; at < statistics.length; at += 2) statistics[at] &&= 1 / statistics[at]!;
    }
    for (let column = 0; column < columns; column++) {
      for (let age = 0; age < count; age++) {
        const lane = age % BLOCK_ROWS;
        const value = values[this.#rows.place(age) * columns + column]!;
        f32[rows + (age - lane) * columns + column * BLOCK_ROWS + lane] = this.#scaled(column, value);
      }
    }
    this.#copied = this.#rows.changes;
  }

  #scaled(column: number, value: number): number {
    const scaled = (value - this.#statistics[2 * column]!) * this.#statistics[2 * column + 1]!;
    return limited(scaled, MOST);
  }
}
