// The linear model on random features: its public interface.
import { Arena, Parts, wordsAt } from "../model/arena.js";
import { type Backend, chooseBackend, computeOptions } from "../model/backend.js";
import { finiteScore, type Predictor } from "../model/model.js";
import { measureColumns, Scaling } from "../model/scaling.js";
import { NativeModel } from "../native/model.js";
import {
  checkFinite,
  checkFitted,
  checkFloats,
  checkLabel,
  checkOutputs,
  countRows,
  invalid,
} from "../options.js";
import { normalAt } from "../random.js";
import { checkHasRows, checkTable, checkTableFinite, copyRows, refused, type Table } from "../table.js";
import { JavaScriptLinear } from "./javascript.js";
import { BATCH_ROWS, BLOCK_ROWS, type LinearKernels, type LinearPlaces, placeLinear } from "./layout.js";
import { CHECKS, DEFAULTS, type LinearLoadOptions, type LinearOptions } from "./options.js";
import { type LinearState, packLinear, unpackLinear } from "./saved.js";
import { webAssemblyLinear } from "./webassembly.js";

/**
 * Ridge regression on random features (a random projection whose negative values become 0) that learns one row at a time. Each update adds
 * the row to the Cholesky factor exactly, so except for rounding, the model is the same as one fitted to all rows at once. Rows and labels
 * are scaled by frozen statistics and limited to 5 deviations. `update` and `predictInto` allocate nothing for a row.
 */
export class Linear implements Predictor {
  readonly columns: number;
  readonly features: number;
  readonly backend: Backend;
  readonly #native: NativeModel | undefined = undefined;
  readonly #arena: Arena;
  readonly #places: LinearPlaces;
  readonly #kernels: LinearKernels;
  readonly #state: LinearState;
  readonly #scaling: Scaling;
  /** Where the rows of the warm-up are held, each with its label, and how many there are. */
  readonly #held: number;
  #heldCount = 0;
  #solved = false;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: LinearOptions) {
    const taken = computeOptions<LinearOptions>(options, CHECKS, DEFAULTS);
    const { columns, features, warmup } = taken;
    this.columns = columns;
    this.features = features;
    this.#state = { ...taken, learned: 0 };
    this.backend = chooseBackend(taken.backend);
    const parts = new Parts();
    this.#places = placeLinear(parts, this);
    this.#scaling = new Scaling(parts, columns + 1);
    this.#held = parts.add(4 * warmup * (columns + 1)) >> 2;
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native") {
      const { seed, ridge, workers } = taken;
      this.#native = new NativeModel("linear", [columns, features, seed, warmup, ridge], workers);
    }
    this.#arena =
      (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.arena) ||
      new Arena(parts.bytes, this.backend === "webassembly");
    this.#scaling.use(this.#arena);
    this.#kernels =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.backend === "webassembly"
        ? webAssemblyLinear(this.#arena, this.#places, this, this.#scaling.statistics)
        : new JavaScriptLinear(this.#arena, this.#places, this, this.#scaling.statistics);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.#native === undefined) this.#drawFeatures();
  }

  /**
   * A model that was saved.
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  static load(bytes: Uint8Array, options: LinearLoadOptions = {}): Linear {
    const compute = computeOptions<LinearLoadOptions>(options, {}, {});
    const { state, scaling, factor } = unpackLinear(bytes);
    const { learned, ...saved } = state;
    const model = new Linear({ ...saved, ...compute });
    model.#state.learned = learned;
    model.#scaling.numbers.set(scaling);
    model.#arena.u32.set(factor, model.#places.factor >> 2);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined") model.#native?.state.set([learned]);
    return model;
  }

  /** The bytes that the model takes; they never change. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Whether the rows of the warm-up are complete. */
  get fitted(): boolean {
    return this.#state.learned > 0;
  }

  /** The number of rows that were learned. */
  get learned(): number {
    return this.#state.learned;
  }

  /**
   * Learns a row. The first `warmup` rows are collected before anything is learned.
   * @throws LearnError INVALID_ARGUMENT, NOT_FINITE; nothing is learned in these cases
   */
  update(row: Float32Array, label: number): void {
    checkFloats("row", row);
    if (row.length !== this.columns) throw invalid(`a row of ${this.columns} values`, row.length);
    checkLabel(label);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.update(row, label)) {
      this.#state.learned = this.#native.state[0]!;
      return;
    }
    checkFinite("row", row, this.columns);
    if (!Number.isFinite(Math.fround(label))) throw refused("label", label);
    if (this.fitted) this.#learn(row, 0, label);
    else this.#hold(row, label);
  }

  /**
   * Learns from all rows of a table, from the oldest to the youngest, and forgets what was learned before; the statistics are those of the
   * table. Use it to remove old rows from the model.
   * @throws LearnError INVALID_ARGUMENT, TOO_FEW_ROWS, NOT_FINITE
   */
  fit(rows: Table): void {
    checkTable(rows, this.columns);
    checkHasRows(rows);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.fit(rows);
      this.#state.learned = this.#native.state[0]!;
      return;
    }
    checkTableFinite(rows);
    const { count, values, labels, columns } = rows;
    this.#scaling.freeze(values, labels, count, rows);
    this.#heldCount = 0;
    if (this.#fitTo(rows)) return;
    this.#begin();
    for (let age = 0; age < count; age++) {
      const place = rows.place(age);
      this.#learn(values, place * columns, labels[place]!);
    }
  }

  /** Factorizes the covariance of all rows; `false` if its rounding is too large for that, as with dependent columns and a tiny ridge. */
  #fitTo(rows: Table): boolean {
    const { count, values, columns } = rows;
    const { f32 } = this.#arena;
    const batch = this.#places.batch >> 2;
    const labels = this.#places.labels >> 2;
    this.#begin(this.#state.ridge);
    for (let first = 0; first < count; first += BATCH_ROWS) {
      const size = Math.min(BATCH_ROWS, count - first);
      copyRows(rows, values, columns, first, size, f32, batch);
      for (let row = 0; row < size; row++)
        f32[labels + row] = this.#scaling.scaled(columns, rows.labels[rows.place(first + row)]!);
      this.#kernels.add(size);
    }
    if (this.#kernels.decompose() >= 0) return false;
    this.#state.learned = count;
    this.#solved = false;
    return true;
  }

  /**
   * Writes a prediction for each of the consecutive rows.
   * @param deviations if given, receives the uncertainty of each prediction: large where the model has learned little, and not calibrated
   * @throws LearnError NOT_FITTED, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  predictInto(rows: Float32Array, means: Float32Array, deviations?: Float32Array): void {
    this.#checkFitted();
    const { columns } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("means", means, count);
    if (deviations !== undefined) checkOutputs("deviations", deviations, count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, columns, means, deviations);
      return;
    }
    checkFinite("rows", rows, columns);
    if (!this.#solved) this.#kernels.solve();
    this.#solved = true;
    const { f32 } = this.#arena;
    const block = this.#places.block >> 2;
    const blockMeans = this.#places.means >> 2;
    const spreads = this.#places.spreads >> 2;
    const noise = this.#noise() * this.#scaling.numbers[2 * columns + 1]!;
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      const size = Math.min(BLOCK_ROWS, count - first);
      for (let row = 0; row < size; row++) {
        const start = (first + row) * columns;
        for (let column = 0; column < columns; column++) {
          f32[block + column * BLOCK_ROWS + row] = this.#scaling.scaled(column, rows[start + column]!);
        }
      }
      this.#kernels.predict(deviations !== undefined);
      for (let row = 0; row < size; row++) {
        means[first + row] = this.#scaling.label(f32[blockMeans + row]!);
        if (deviations === undefined) continue;
        deviations[first + row] = finiteScore(noise * Math.sqrt(f32[spreads + row]!));
      }
    }
  }

  /**
   * The model as bytes.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    this.#checkFitted();
    const { factor, height } = this.#places;
    const words = wordsAt(this.#arena, factor, (this.features + 1) * height);
    return packLinear(this.#state, this.#scaling.numbers, words);
  }

  #checkFitted(): void {
    checkFitted(this, `${this.#state.warmup} rows`);
  }

  /** The first feature is constant; the others are directions and offsets of the scaled rows. */
  #drawFeatures(): void {
    const { columns, features, seed } = this.#state;
    const { f32 } = this.#arena;
    const { height } = this.#places;
    const offsets = this.#places.offsets >> 2;
    const projection = this.#places.projection >> 2;
    const scale = 1 / Math.sqrt(columns);
    f32[offsets] = 1;
    for (let feature = 1; feature < features; feature++) {
      const first = feature * (columns + 1);
      f32[offsets + feature] = normalAt(seed, first);
      for (let column = 0; column < columns; column++) {
        f32[projection + column * height + feature] = normalAt(seed, first + 1 + column) * scale;
      }
    }
  }

  /** The factor before the first row, or the covariance. */
  #begin(diagonal: number = Math.sqrt(this.#state.ridge)): void {
    const { f32 } = this.#arena;
    const { factor, height } = this.#places;
    const start = factor >> 2;
    f32.fill(0, start, start + (this.features + 1) * height);
    for (let feature = 0; feature < this.features; feature++) f32[start + feature * (height + 1)] = diagonal;
    this.#state.learned = 0;
  }

  #hold(row: Float32Array, label: number): void {
    const { columns } = this;
    const { f32 } = this.#arena;
    const start = this.#held + this.#heldCount * (columns + 1);
    f32.set(row, start);
    f32[start + columns] = label;
    this.#heldCount++;
    if (this.#heldCount < this.#state.warmup) return;
    const held = f32.subarray(this.#held, start + columns + 1);
    measureColumns(this.#scaling.numbers, held, this.#heldCount);
    this.#begin();
    for (let from = 0; from < held.length; from += columns + 1)
      this.#learn(held, from, held[from + columns]!);
    this.#heldCount = 0;
  }

  #learn(values: Float32Array, start: number, label: number): void {
    const input = this.#places.input >> 2;
    for (let column = 0; column < this.columns; column++)
      this.#arena.f32[input + column] = values[start + column]!;
    this.#kernels.update(Math.fround(this.#scaling.scaled(this.columns, label)));
    this.#state.learned++;
    this.#solved = false;
  }

  /** The root of the mean squared error of the scaled labels. */
  #noise(): number {
    const { factor, height } = this.#places;
    const residual = this.#arena.f32[(factor >> 2) + this.features * (height + 1)]!;
    return Math.abs(residual) / Math.sqrt(this.#state.learned);
  }
}
