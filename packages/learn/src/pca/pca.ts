// Principal components of rows that arrive in batches.
import { isWhole } from "@mm-ptx/types/internal";
import { Arena, doublesAt, floatsAt, Parts } from "../model/arena.js";
import { type Backend, type BackendOption, chooseBackend, isBackend } from "../model/backend.js";
import { between, damaged, isCount, packModel, type SavedForm, SavedReader } from "../model/format.js";
import { finiteScore } from "../model/model.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkFitted, checkOutputs, countRows, invalid, readOptions } from "../options.js";
import { normalAt } from "../random.js";
import { JavaScriptPca } from "./javascript.js";
import { BLOCK_ROWS, type PcaKernels, type PcaPlaces, placePca } from "./layout.js";
import { webAssemblyPca } from "./webassembly.js";

/** How principal components are made. */
export interface PcaOptions {
  /** The number of values in a row, from 1 to 512. */
  readonly columns: number;
  /** The number of components, from 1 to 32 and not more than `columns`. */
  readonly components: number;
  /** Default `auto`. All backends give the same bits. */
  readonly backend?: BackendOption;
}

/** How saved components are loaded. */
export interface PcaLoadOptions {
  readonly backend?: BackendOption;
}

const CHECKS = { columns: isWhole(1, 512), components: isWhole(1, 32) };
const COMPUTE_CHECK = { backend: isBackend };
const DEFAULTS = { backend: "auto" };

const FORM: SavedForm = {
  kind: "pca",
  checks: { ...CHECKS, learned: isCount(1), version: isCount(1) },
};
/** The numbers of saved components. */
interface PcaState {
  readonly columns: number;
  readonly components: number;
  readonly learned: number;
  readonly version: number;
}

/** Iterations after the first batch, and after each of the others, which begin with the components so far. */
const COLD = 12;
const WARM = 2;
/** More than any entry of what is saved can be, in its order: f32, sums of these, sums of their products, directions, variances. */
const MOST = [4e38, 1e60, 1e100, 2, 1e100];

/**
 * Principal components from a running covariance, by orthogonal iteration. Each update changes the projection a little and increments
 * `version`, which shows when stored projections are out of date. `update` and `projectInto` allocate nothing for a row.
 */
export class Pca {
  readonly columns: number;
  readonly components: number;
  readonly backend: Backend;
  #count = 0;
  #version = 0;
  readonly #native: NativeModel | undefined = undefined;
  readonly #arena: Arena;
  readonly #kernels: PcaKernels;
  readonly #places: PcaPlaces;
  // Views of the parts that `layout.ts` describes.
  readonly #block: Float32Array;
  readonly #shift: Float32Array;
  readonly #means: Float64Array;
  readonly #basis: Float64Array;
  readonly #variances: Float64Array;
  /** What is saved. */
  readonly #saved: readonly (Float32Array | Float64Array)[];
  #total = 0;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: PcaOptions) {
    const checks = { ...CHECKS, ...COMPUTE_CHECK };
    const taken = readOptions<PcaOptions>(options, checks, DEFAULTS);
    const { columns, components, backend } = taken;
    if (components > columns) throw invalid(`at most ${columns} components`, components);
    this.columns = columns;
    this.components = components;
    this.backend = chooseBackend(backend);
    const parts = new Parts();
    const places = placePca(parts, this);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.backend === "native")
      this.#native = new NativeModel("pca", [columns, components]);
    this.#arena =
      (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.arena) ||
      new Arena(parts.bytes, this.backend === "webassembly");
    this.#kernels =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || this.backend === "webassembly"
        ? webAssemblyPca(this.#arena, places, this)
        : new JavaScriptPca(this.#arena, places, this);
    const { stride } = places;
    this.#places = places;
    const arena = this.#arena;
    this.#block = floatsAt(arena, places.block, BLOCK_ROWS * stride);
    this.#shift = floatsAt(arena, places.shift, stride);
    this.#means = doublesAt(arena, places.means, stride);
    this.#basis = doublesAt(arena, places.basis, components * stride);
    this.#variances = doublesAt(arena, places.variances, components);
    const sums = doublesAt(arena, places.sums, stride);
    const products = doublesAt(arena, places.products, columns * stride);
    this.#saved = [this.#shift, sums, products, this.#basis, this.#variances];
  }

  /**
   * Components that were saved.
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  static load(bytes: Uint8Array, options: PcaLoadOptions = {}): Pca {
    const compute = readOptions<PcaLoadOptions>(options, COMPUTE_CHECK, DEFAULTS);
    const reader = new SavedReader<PcaState>(FORM, bytes);
    const { columns, components, learned, version } = reader.state;
    between("components", components, 1, columns);
    const model = new Pca({ columns, components, ...compute });
    for (const [index, values] of model.#saved.entries()) {
      const block = reader.block(values.byteLength / 4);
      new Uint32Array(values.buffer, values.byteOffset, block.length).set(block);
      // Numbers after the columns of a row are 0; backends differ in whether they read them.
      if (
        !values.every(
          (value, at) => Math.abs(value) <= (at % model.#places.stride < columns ? MOST[index]! : 0),
        )
      )
        throw damaged("finite sums", "others");
    }
    reader.end();
    for (const variance of model.#variances) between("a variance", variance, 0, Number.MAX_VALUE);
    model.#count = learned;
    model.#version = version;
    model.#total = model.#kernels.covary(learned);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined")
      model.#native?.state.set([learned, version, model.#total]);
    return model;
  }

  /** The bytes that the model takes; they never change. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Whether rows have been learned, so that there are components. */
  get fitted(): boolean {
    return this.#count > 0;
  }

  /** The number of rows so far. */
  get learned(): number {
    return this.#count;
  }

  /** Counts the updates: values that were projected by another version have different axes. */
  get version(): number {
    return this.#version;
  }

  /** The share of the variance of all rows that the components explain: 0 if all rows are equal. */
  get explained(): number {
    return this.#total === 0 ? 0 : this.#variances.reduce((sum, variance) => sum + variance, 0) / this.#total;
  }

  /**
   * Adds consecutive rows to the covariance, and improves the components.
   * @throws LearnError INVALID_ARGUMENT, also for no rows; NOT_FINITE; nothing is learned in these cases
   */
  update(rows: Float32Array): void {
    const count = countRows("rows", rows, this.columns);
    if (count === 0) throw invalid("at least one row", count);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native?.update(rows)) {
      this.#count = this.#native.state[0]!;
      this.#version = this.#native.state[1]!;
      this.#total = this.#native.state[2]!;
      return;
    }
    checkFinite("rows", rows, this.columns);
    const isFirst = this.#count === 0;
    if (isFirst) this.#begin(rows, count);
    for (let first = 0; first < count; first += BLOCK_ROWS)
      this.#add(rows, first, Math.min(BLOCK_ROWS, count - first));
    this.#count += count;
    this.#total = this.#kernels.covary(this.#count);
    this.#draw();
    for (let iteration = isFirst ? COLD : WARM; iteration > 1; iteration--) this.#kernels.iterate();
    this.#kernels.align(this.#total);
    this.#version++;
  }

  /**
   * Writes the components of each of the consecutive rows, relative to the mean of all rows so far. Components that the rows do not have,
   * because they vary in fewer directions, are 0.
   * @throws LearnError NOT_FITTED, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  projectInto(rows: Float32Array, projected: Float32Array): void {
    checkFitted(this, "an `update`");
    const { columns, components } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("projected", projected, count * components);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, columns, projected);
      return;
    }
    checkFinite("rows", rows, columns);
    // The images are free: the first has a row relative to the means.
    const { f64 } = this.#arena;
    const [image, products] = [this.#places.images >> 3, this.#places.small >> 3];
    for (let index = 0; index < count; index++) {
      for (let column = 0; column < columns; column++) {
        f64[image + column] = rows[index * columns + column]! - this.#means[column]!;
      }
      this.#kernels.project();
      for (let component = 0; component < components; component++)
        projected[index * components + component] = finiteScore(f64[products + component]!);
    }
  }

  /**
   * The model as bytes.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    checkFitted(this, "an `update`");
    const blocks = this.#saved.map(
      ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
    );
    return packModel(FORM, this, blocks);
  }

  /** The mean of the first rows. */
  #begin(rows: Float32Array, count: number): void {
    const { columns } = this;
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let row = 0; row < count; row++) sum += rows[row * columns + column]!;
      this.#shift[column] = sum / count;
    }
  }

  /** Draws the components that do not exist: all at first, and later those for which there was no variance. */
  #draw(): void {
    const { columns, components } = this;
    const { stride } = this.#places;
    for (let component = 0; component < components; component++) {
      const start = component * stride;
      if (this.#kernels.exists(component)) continue;
      for (let index = start; index < start + columns; index++) this.#basis[index] = normalAt(0, index);
    }
  }

  #add(rows: Float32Array, first: number, count: number): void {
    const { columns } = this;
    const { stride } = this.#places;
    if (stride === columns) this.#block.set(rows.subarray(first * columns, (first + count) * columns));
    else {
      for (let row = 0; row < count; row++) {
        const from = (first + row) * columns;
        for (let column = 0; column < columns; column++)
          this.#block[row * stride + column] = rows[from + column]!;
      }
    }
    this.#kernels.add(count);
  }
}
