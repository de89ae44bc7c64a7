// Boosted trees: their public interface, and the passes of a fit.
import { LearnError } from "../error.js";
import { LaterTraining, type TrainingTask } from "../later/training.js";
import { Arena, doublesAt, Parts } from "../model/arena.js";
import { type Backend, chooseBackend, computeOptions } from "../model/backend.js";
import { tenthOf } from "../model/labels.js";
import { limited, type Predictor } from "../model/model.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkFitted, checkOutputs, countRows, invalid } from "../options.js";
import { checkHasRows, checkTable, checkTableFinite, copyRows, Table } from "../table.js";
import { JavaScriptTrees } from "./javascript.js";
import {
  BLOCK_ROWS,
  MOST_RESIDUAL,
  nodesOf,
  placeTrees,
  type TreesKernels,
  type TreesPlaces,
} from "./layout.js";
import {
  CHECKS,
  DEFAULTS,
  LOAD_CHECKS,
  LOAD_DEFAULTS,
  type TreesLoadOptions,
  type TreesOptions,
} from "./options.js";
import { mostTreesBytes, packTrees, type TreesState, unpackTrees } from "./saved.js";
import { webAssemblyTrees } from "./webassembly.js";

/** Labels are limited to this many deviations from their mean, which is the range of a residual. */
const RANGE = 5;

/**
 * Gradient boosting with trees of up to four levels. All sums are sums of integers, so a model depends only on the rows of its table and
 * the options. `fit` and `predictInto` allocate nothing for a row.
 */
export class Trees implements Predictor {
  readonly columns: number;
  readonly backend: Backend;
  readonly #rows: Table | undefined;
  readonly #native: NativeModel | undefined = undefined;
  readonly #arena: Arena;
  readonly #places: TreesPlaces;
  readonly #kernels: TreesKernels;
  readonly #options: TreesOptions;
  readonly #state: TreesState;
  /** A model that is trained, and the number of added rows at which it takes over. */
  #later: { readonly training: LaterTraining<TreesOptions>; readonly at: number } | undefined;

  /**
   * @param rows what `fit` learns from
   * @throws LearnError INVALID_ARGUMENT
   */
  constructor(rows: Table, options?: TreesOptions);
  /** @internal */
  constructor(rows: Table | undefined, options: TreesOptions, columns: number);
  constructor(rows: Table | undefined, options: TreesOptions = {}, savedColumns?: number) {
    const taken = computeOptions<TreesOptions>(options, CHECKS, DEFAULTS);
    if (savedColumns === undefined || rows !== undefined) checkTable(rows, savedColumns);
    const columns = savedColumns ?? rows!.columns;
    this.#state = { ...taken, columns, mean: 0, unit: 0, learned: 0, splits: 0 };
    this.columns = columns;
    this.backend = chooseBackend(taken.backend);
    this.#options = { ...taken, backend: this.backend };
    this.#rows = rows;
    const capacity = rows?.capacity ?? 1;
    const shape = { ...this.#state, capacity };
    const { bins, lambda } = shape;
    const parts = new Parts();
    this.#places = placeTrees(parts, shape);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native") {
      const { form, label, trees, depth, rate, sample } = shape;
      const kinds = [Number(form === "general"), Number(label === "best tenth"), Number(sample === "all")];
      const sizes = [columns, capacity, trees, depth, bins];
      this.#native = new NativeModel("trees", [...sizes, ...kinds, rate, lambda], taken.workers);
    }
    this.#arena =
      (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.arena) ||
      new Arena(parts.bytes, this.backend === "webassembly");
    this.#kernels =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.backend === "webassembly"
        ? webAssemblyTrees(this.#arena, this.#places, shape)
        : new JavaScriptTrees(this.#arena, this.#places, shape);
    const reciprocals = this.#places.reciprocals >> 3;
    for (let count = 0; count <= capacity; count++)
      this.#arena.f64[reciprocals + count] = 1 / (count + lambda);
    // The last bin has no edge. No value is above that of the first column, for nodes that are not split.
    this.#arena.f32[(this.#places.edges >> 2) + bins - 1] = Number.POSITIVE_INFINITY;
  }

  /**
   * A model that was saved.
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  static load(bytes: Uint8Array, options: TreesLoadOptions = {}): Trees {
    const load = computeOptions<TreesLoadOptions>(options, LOAD_CHECKS, LOAD_DEFAULTS);
    const { rows, ...compute } = load;
    const saved = unpackTrees(bytes);
    const { columns, mean, unit, learned, splits, ...kept } = saved.state;
    const model = new Trees(rows, { ...kept, ...compute }, columns);
    model.#restore(saved);
    return model;
  }

  /** Takes over the trees of a saved model of the same shape. */
  #restore({ state, splitColumns, thresholds, nodes, leaves }: ReturnType<typeof unpackTrees>): void {
    const { u32 } = this.#arena;
    u32.set(splitColumns, this.#places.columns >> 2);
    u32.set(thresholds, this.#places.thresholds >> 2);
    u32.set(nodes, this.#places.nodes >> 2);
    u32.set(leaves, this.#places.leaves >> 2);
    this.#kernels.prepare();
    Object.assign(this.#state, state);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined")
      this.#native?.state.set([state.mean, state.unit, state.learned, state.splits]);
  }

  /** The bytes that the model takes; they never change. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  get fitted(): boolean {
    this.#takeOver();
    return this.#state.learned > 0;
  }

  /** The number of rows that the model learned from. */
  get learned(): number {
    this.#takeOver();
    return this.#state.learned;
  }

  /** Whether a model from `fitLater` has yet to take over. */
  get training(): boolean {
    this.#takeOver();
    return this.#later !== undefined;
  }

  /**
   * Learns from all rows that the table has now. It forgets what was learned before and cancels what `fitLater` has started. If all labels
   * are equal, every score is that label.
   * @throws LearnError TOO_FEW_ROWS for an empty table, INVALID_ARGUMENT for a model that was loaded without a table, NOT_FINITE
   */
  fit(): void {
    const rows = this.#rowsToLearn();
    this.dispose();
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.fit(rows);
      const [mean, unit, learned, splits] = this.#native.state;
      Object.assign(this.#state, { mean, unit, learned, splits });
      return;
    }
    checkTableFinite(rows);
    this.#takeLabels(rows);
    for (let column = 0; column < this.columns; column++) this.#takeColumn(rows, column);
    this.#kernels.grow(rows.count, this.#state.rate);
    this.#collectSplits();
    this.#kernels.prepare();
    this.#state.learned = rows.count;
  }

  /**
   * Starts to learn from all rows that the table has now, in another thread. The resulting model takes over when `rows.added` reaches
   * `rowCount`, no matter when it is ready, so a run depends only on its rows. From then on, calls wait for it. In browsers, and if the
   * thread fails, it is trained on the calling thread at that time. One thread trains for all models.
   * @param rowCount at least `rows.added`
   * @throws LearnError TOO_FEW_ROWS for an empty table; INVALID_ARGUMENT for a lower count, while a model is trained, and for a model that was
   * loaded without a table
   */
  fitLater(rowCount: number): void {
    const rows = this.#rowsToLearn();
    this.#takeOver();
    if (!Number.isInteger(rowCount) || rowCount < rows.added)
      throw invalid(`a row count of at least ${rows.added}`, rowCount);
    if (this.#later !== undefined) {
      throw new LearnError(
        "INVALID_ARGUMENT",
        `expected no training, found one whose model takes over at ${this.#later.at} rows`,
      );
    }
    const { count, columns } = rows;
    const training = new LaterTraining(columns, count, mostTreesBytes(this.#state), this.#options);
    copyRows(rows, rows.values, columns, 0, count, training.values);
    copyRows(rows, rows.labels, 1, 0, count, training.labels);
    training.start();
    this.#later = { training, at: rowCount };
  }

  /** Installs the model of `fitLater` when the table has as many rows. */
  #takeOver(): void {
    const later = this.#later;
    if (later === undefined || this.#rows!.added < later.at) return;
    this.#later = undefined;
    this.#restore(unpackTrees(later.training.take(trainedBytes)));
  }

  /** Cancels a training by `fitLater` whose model has not taken over. This model can still be used. */
  dispose(): void {
    this.#later?.training.cancel();
    this.#later = undefined;
  }

  /** The same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The table, if it has rows. */
  #rowsToLearn(): Table {
    const rows = this.#rows;
    if (rows === undefined) {
      throw new LearnError(
        "INVALID_ARGUMENT",
        "expected a model with a table, found one that was loaded without `rows`",
      );
    }
    checkHasRows(rows);
    return rows;
  }

  /** Numbers the splits of all nodes by column and bin, and replaces the bins of nodes by these numbers. */
  #collectSplits(): void {
    const { f32, i32 } = this.#arena;
    const { columns: columnCount, trees, bins } = this.#state;
    const { edges, nodes, columns, thresholds, splitOfBin } = this.#places;
    const used = splitOfBin >> 2;
    const nodesEnd = (nodes >> 2) + trees * nodesOf(this.#state);
    i32.fill(0, used, used + columnCount * bins);
    for (let node = nodes >> 2; node < nodesEnd; node++) i32[used + i32[node]!] = 1;
    let split = 0;
    for (let bin = 0; bin < columnCount * bins; bin++) {
      if (i32[used + bin] === 0) continue;
      i32[used + bin] = split;
      i32[(columns >> 2) + split] = Math.floor(bin / bins);
      f32[(thresholds >> 2) + split] = f32[(edges >> 2) + bin]!;
      split++;
    }
    for (let node = nodes >> 2; node < nodesEnd; node++) i32[node] = i32[used + i32[node]!]!;
    this.#state.splits = split;
  }

  /** Labels as residuals in units of the range; their mean and their spread are computed from the oldest row to the youngest. */
  #takeLabels(rows: Table): void {
    const state = this.#state;
    const { count } = rows;
    const least = state.label === "value" ? undefined : this.#bestTenth(rows);
    const residuals = this.#places.residuals >> 2;
    // The room for entries is free until trees are grown.
    const labels = doublesAt(this.#arena, this.#places.entries, count);
    let sum = 0;
    for (let age = 0; age < count; age++) {
      const label = rows.labels[rows.place(age)]!;
      labels[age] = least === undefined ? label : Number(label >= least);
      sum += labels[age]!;
    }
    const mean = sum / count;
    let squares = 0;
    for (let age = 0; age < count; age++) {
      const difference = labels[age]! - mean;
      squares += difference * difference;
    }
    state.mean = mean;
    state.unit = (RANGE * Math.sqrt(squares / count)) / MOST_RESIDUAL;
    for (let age = 0; age < count; age++) {
      const residual = state.unit === 0 ? 0 : Math.floor((labels[age]! - mean) / state.unit + 0.5);
      this.#arena.i32[residuals + age] = limited(residual, MOST_RESIDUAL);
    }
  }

  /** The least label of the best tenth. */
  #bestTenth(rows: Table): number {
    const { count } = rows;
    const { f32 } = this.#arena;
    const keys = this.#places.keys >> 2;
    for (let age = 0; age < count; age++) f32[keys + age] = rows.labels[rows.place(age)]! + 0;
    this.#kernels.sort(count);
    return f32[keys + count - tenthOf(count)]!;
  }

  #takeColumn(rows: Table, column: number): void {
    const { count, capacity, columns, values } = rows;
    const { f32 } = this.#arena;
    const keys = this.#places.keys >> 2;
    // The room for entries is free until trees are grown.
    const unsorted = this.#places.entries >> 2;
    let from = rows.place(0) * columns + column;
    for (let age = 0; age < count; age++) {
      const value = values[from]!;
      // The sum makes a positive zero of a negative one, which has other bits.
      f32[keys + age] = value + 0;
      f32[unsorted + age] = value;
      from += columns;
      if (from >= capacity * columns) from = column;
    }
    this.#kernels.sort(count);
    this.#kernels.chooseEdges(column, count);
    this.#kernels.bin(column, count);
  }

  /**
   * Writes a score for each of the consecutive rows: a label, or with `best tenth` a probability, which may be a little below 0 or above 1.
   * @throws LearnError NOT_FITTED, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  predictInto(rows: Float32Array, scores: Float32Array): void {
    checkFitted(this, "`fit`");
    const { columns } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("scores", scores, count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, columns, scores);
      return;
    }
    // All rows are checked before a score is written. The block is a copy, in which that takes less time.
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      if (!this.#kernels.areFinite(this.#take(rows, first, count))) checkFinite("rows", rows, columns);
    }
    const { f32 } = this.#arena;
    const { mean, unit, splits } = this.#state;
    const sums = this.#places.sums >> 2;
    for (let first = 0; first < count; first += BLOCK_ROWS) {
      const size = this.#take(rows, first, count);
      this.#kernels.predict(size, splits, mean, unit);
      for (let row = 0; row < size; row++) scores[first + row] = f32[sums + row]!;
    }
  }

  /** Copies the next rows of `count` to the block; returns their number. */
  #take(rows: Float32Array, first: number, count: number): number {
    const { columns } = this;
    const size = Math.min(BLOCK_ROWS, count - first);
    const values = count <= BLOCK_ROWS ? rows : rows.subarray(first * columns, (first + size) * columns);
    this.#arena.f32.set(values, this.#places.block >> 2);
    return size;
  }

  /**
   * Saves the model as bytes, without the rows of its table.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    checkFitted(this, "`fit`");
    return packTrees(this.#state, this.#arena, this.#places);
  }
}

/** The model of a task's rows, as it is saved. */
export function trainedBytes({ columns, values, labels, options }: TrainingTask<TreesOptions>): Uint8Array {
  const table = new Table({ columns, capacity: labels.length });
  table.addAll(values, labels);
  const model = new Trees(table, options);
  model.fit();
  return model.save();
}
