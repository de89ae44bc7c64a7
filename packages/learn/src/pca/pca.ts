// Principal components of rows that arrive in batches.
import { type Check, isWhole } from "@mm-ptx/types/internal";
import { Arena, Parts } from "../model/arena.js";
import { type Backend, type BackendOption, chooseBackend, isBackend } from "../model/backend.js";
import { between, damaged, packModel, SavedReader, savedOptions, whole } from "../model/format.js";
import { finiteScore } from "../model/model.js";
import { NativeModel } from "../native/model.js";
import { checkFinite, checkOutputs, countRows, invalid, notFitted, readOptions } from "../options.js";
import { normalAt } from "../random.js";
import { JavaScriptPca } from "./javascript.js";
import { BLOCK_ROWS, type PcaKernels, placePca } from "./layout.js";
import { dot } from "./matrices.js";
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

const CHECKS: Readonly<Record<keyof PcaOptions, Check>> = {
  columns: isWhole(1, 512),
  components: isWhole(1, 32),
  backend: isBackend,
};

/** Iterations after the first batch, and after each of the others, which begin with the components so far. */
const COLD = 12;
const WARM = 2;
const NUMBERS = 4;
/** More than any entry of what is saved can be, in its order: f32, sums of these, sums of their products, directions, variances. */
const MOST = [4e38, 1e60, 1e100, 2, 1e100];
/** What the rounding of products as f32 amounts to, relative to these. */
const ROUNDING = 2 ** -20;

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
  readonly #stride: number;
  // Views of the parts that `layout.ts` describes.
  readonly #block: Float32Array;
  readonly #shift: Float32Array;
  readonly #sums: Float64Array;
  readonly #products: Float64Array;
  readonly #means: Float64Array;
  readonly #covariance: Float64Array;
  readonly #basis: Float64Array;
  readonly #variances: Float64Array;
  readonly #images: Float64Array;
  readonly #small: Float64Array;
  #total = 0;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: PcaOptions) {
    const taken = readOptions<PcaOptions>(options, CHECKS, { required: ["columns", "components"] });
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
    this.#stride = stride;
    const view = (place: number, length: number) =>
      this.#arena.f64.subarray(place >> 3, (place >> 3) + length);
    const floats = (place: number, length: number) =>
      this.#arena.f32.subarray(place >> 2, (place >> 2) + length);
    this.#block = floats(places.block, BLOCK_ROWS * stride);
    this.#shift = floats(places.shift, stride);
    this.#sums = view(places.sums, stride);
    this.#products = view(places.products, columns * stride);
    this.#means = view(places.means, stride);
    this.#covariance = view(places.covariance, columns * stride);
    this.#basis = view(places.basis, components * stride);
    this.#variances = view(places.variances, components);
    this.#images = view(places.images, components * stride);
    this.#small = view(places.small, components * components);
  }

  /**
   * Components that were saved.
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  static load(bytes: Uint8Array, options: PcaLoadOptions = {}): Pca {
    const compute = readOptions<PcaLoadOptions>(options, { backend: isBackend });
    const reader = new SavedReader("pca", bytes, () => NUMBERS);
    const [columns, components, count, version] = reader.numbers as [number, number, number, number];
    savedOptions<PcaOptions>({ columns, components }, CHECKS);
    between("components", components, 1, columns);
    whole("rows", count, 1, Number.MAX_SAFE_INTEGER);
    whole("a version", version, 1, Number.MAX_SAFE_INTEGER);
    const model = new Pca({ columns, components, ...compute });
    for (const [index, values] of model.#saved.entries()) {
      const block = reader.block(values.byteLength / 4);
      new Uint32Array(values.buffer, values.byteOffset, block.length).set(block);
      // Numbers after the columns of a row are 0; backends differ in whether they read them.
      if (!values.every((value, at) => Math.abs(value) <= (at % model.#stride < columns ? MOST[index]! : 0)))
        throw damaged("finite sums", "others");
    }
    reader.end();
    for (const variance of model.#variances) between("a variance", variance, 0, Number.MAX_VALUE);
    model.#count = count;
    model.#version = version;
    model.#covary();
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined")
      model.#native?.state.set([count, version, model.#total]);
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
    this.#covary();
    this.#draw();
    for (let iteration = isFirst ? COLD : WARM; iteration > 1; iteration--) this.#iterate();
    this.#align();
    this.#version++;
  }

  /**
   * Writes the components of each of the consecutive rows, relative to the mean of all rows so far. Components that the rows do not have,
   * because they vary in fewer directions, are 0.
   * @throws LearnError NOT_FITTED, INVALID_ARGUMENT, NOT_FINITE; nothing is written in these cases
   */
  projectInto(rows: Float32Array, projected: Float32Array): void {
    if (!this.fitted) throw notFitted("an `update` before a projection");
    const { columns, components } = this;
    const count = countRows("rows", rows, columns);
    checkOutputs("projected", projected, count * components);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.#native !== undefined) {
      this.#native.predict(rows, columns, projected);
      return;
    }
    checkFinite("rows", rows, columns);
    // The images are free: the first has a row relative to the means.
    const row = this.#images;
    const stride = this.#stride;
    for (let index = 0; index < count; index++) {
      for (let column = 0; column < columns; column++) {
        row[column] = rows[index * columns + column]! - this.#means[column]!;
      }
      for (let component = 0; component < components; component++) {
        const value = dot(row, 0, this.#basis, component * stride, stride);
        projected[index * components + component] = finiteScore(value);
      }
    }
  }

  /**
   * The model as bytes.
   * @throws LearnError NOT_FITTED
   */
  save(): Uint8Array<ArrayBuffer> {
    if (!this.fitted) throw notFitted("an `update` before `save`");
    return packModel("pca", {
      numbers: [this.columns, this.components, this.#count, this.#version],
      blocks: this.#saved.map(
        ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4),
      ),
    });
  }

  /** What is saved. */
  get #saved(): readonly (Float32Array | Float64Array)[] {
    return [this.#shift, this.#sums, this.#products, this.#basis, this.#variances];
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
    for (let component = 0; component < components; component++) {
      const start = component * this.#stride;
      if (dot(this.#basis, start, this.#basis, start, this.#stride) > 0) continue;
      for (let index = start; index < start + columns; index++) this.#basis[index] = normalAt(0, index);
    }
  }

  #add(rows: Float32Array, first: number, count: number): void {
    const { columns } = this;
    const stride = this.#stride;
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

  /** The means and the covariance of all rows so far, and its trace. */
  #covary(): void {
    this.#kernels.covary(this.#count);
    this.#total = 0;
    for (let column = 0; column < this.columns; column++) {
      this.#total += Math.max(0, this.#covariance[column * (this.#stride + 1)]!);
    }
  }

  #iterate(): void {
    this.#kernels.multiply();
    this.#basis.set(this.#images);
    this.#kernels.orthonormalize();
  }

  /**
   * The last iteration: what the covariance makes of the directions of the largest variances within the span of the components, from the
   * largest on.
   */
  #align(): void {
    const { components } = this;
    this.#kernels.multiply();
    this.#kernels.project();
    this.#kernels.diagonalize();
    for (let rank = 0; rank < components; rank++) this.#takeLargest(rank);
    this.#kernels.orthonormalize();
    for (let component = 0; component < components; component++) {
      if (this.#isRounding(component)) {
        this.#variances[component] = 0;
        this.#basis.fill(0, component * this.#stride, (component + 1) * this.#stride);
      }
    }
  }

  /** Whether the variance of a component could be the rounding of the products of its columns. */
  #isRounding(component: number): boolean {
    // The sum below is at most the square root of the total.
    if (this.#variances[component]! > ROUNDING * this.#total) return false;
    let sum = 0;
    for (let column = 0; column < this.columns; column++) {
      const variance = Math.max(0, this.#covariance[column * (this.#stride + 1)]!);
      sum += Math.abs(this.#basis[component * this.#stride + column]!) * Math.sqrt(variance);
    }
    return this.#variances[component]! <= ROUNDING * sum * sum;
  }

  /**
   * Writes what the covariance makes of the direction of the largest variance that is left as component `rank`; its largest entry is positive.
   */
  #takeLargest(rank: number): void {
    const { columns, components } = this;
    let best = -1;
    for (let index = 0; index < components; index++) {
      const variance = this.#small[index * components + index]!;
      if (!Number.isNaN(variance) && (best < 0 || variance > this.#small[best * components + best]!))
        best = index;
    }
    this.#variances[rank] = Math.max(0, this.#small[best * components + best]!);
    this.#small[best * components + best] = Number.NaN;
    this.#kernels.combine(best, rank);
    const start = rank * this.#stride;
    let [largest, sign] = [0, 1];
    for (let at = start; at < start + columns; at++) {
      const entry = this.#basis[at]!;
      if (Math.abs(entry) > largest) [largest, sign] = [Math.abs(entry), Math.sign(entry)];
    }
    if (sign > 0) return;
    for (let at = start; at < start + columns; at++) this.#basis[at] = -this.#basis[at]!;
  }
}
