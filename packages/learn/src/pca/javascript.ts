// Sums and products of principal components in JavaScript, in the order of assembly/pca.ts.
import type { Arena } from "../model/arena.js";
import { multiply } from "../model/dense.js";
import { useMemory } from "../model/lanes.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";
import { diagonalize, dot, orthonormalize } from "./matrices.js";

const f = Math.fround;
const EXPONENT_BITS = 23;
/** The exponent of 1, and that of the scale that makes values of the exponent 0 those of 1. */
const ONE = 127;
const SCALED = 2 * ONE - 1;
/** What the rounding of products as f32 amounts to, relative to these. */
const ROUNDING = 2 ** -20;

export class JavaScriptPca implements PcaKernels {
  readonly #arena: Arena;
  readonly #shape: PcaShape;
  readonly #places: PcaPlaces;
  readonly #word = new Uint32Array(1);
  readonly #float = new Float32Array(this.#word.buffer);

  constructor(arena: Arena, places: PcaPlaces, shape: PcaShape) {
    this.#arena = arena;
    this.#places = places;
    this.#shape = shape;
    arena.f32[places.one >> 2] = 1;
  }

  add(count: number): void {
    const { f32, f64 } = this.#arena;
    const { columns } = this.#shape;
    const { stride, block, one, blockSums, blockProducts } = this.#places;
    const unit = this.#scale(count);
    useMemory(f32);
    multiply(one, 0, 0, 1, count, block, stride, -1, blockSums, false);
    multiply(block, 1, stride, columns, count, block, stride, -1, blockProducts, true);
    const sums = this.#places.sums >> 3;
    for (let column = 0; column < stride; column++) {
      f64[sums + column] = f64[sums + column]! + f32[(blockSums >> 2) + column]! * unit;
    }
    const all = this.#places.products >> 3;
    for (let column = 0; column < columns; column++) {
      for (let at = column * stride + (column & ~3); at < (column + 1) * stride; at++) {
        f64[all + at] = f64[all + at]! + f32[(blockProducts >> 2) + at]! * (unit * unit);
      }
    }
  }

  /** Makes the rows relative to the shift, and the largest of the values about 1; returns what 1 is then. */
  #scale(count: number): number {
    const { f32 } = this.#arena;
    const { stride } = this.#places;
    const start = this.#places.block >> 2;
    const shift = this.#places.shift >> 2;
    const end = start + count * stride;
    // Differences of the largest values are no f32, but a quarter of these is.
    let factor = 1;
    let largest = this.#largest(start, end, factor);
    if (largest === Number.POSITIVE_INFINITY) {
      factor = 0.25;
      largest = this.#largest(start, end, factor);
    }
    this.#float[0] = largest;
    const exponent = Math.max(1, Math.min(SCALED, SCALED - (this.#word[0]! >>> EXPONENT_BITS)));
    this.#word[0] = exponent << EXPONENT_BITS;
    const scale = this.#float[0];
    for (let row = start; row < end; row += stride) {
      for (let column = 0; column < stride; column++) {
        f32[row + column] = f(f(f32[row + column]! * factor) - f(f32[shift + column]! * factor)) * scale;
      }
    }
    return 1 / scale / factor;
  }

  #largest(start: number, end: number, factor: number): number {
    const { f32 } = this.#arena;
    const { stride } = this.#places;
    const shift = this.#places.shift >> 2;
    let largest = 0;
    for (let row = start; row < end; row += stride) {
      for (let column = 0; column < stride; column++) {
        const difference = f(f(f32[row + column]! * factor) - f(f32[shift + column]! * factor));
        largest = Math.max(largest, Math.abs(difference));
      }
    }
    return largest;
  }

  covary(count: number): number {
    const { f32, f64 } = this.#arena;
    const { columns } = this.#shape;
    const { stride } = this.#places;
    const sums = this.#places.sums >> 3;
    const means = this.#places.means >> 3;
    const all = this.#places.products >> 3;
    const covariance = this.#places.covariance >> 3;
    for (let column = 0; column < columns; column++) {
      const mean = f64[sums + column]! / count;
      f64[means + column] = f32[(this.#places.shift >> 2) + column]! + mean;
      for (let other = column; other < columns; other++) {
        const value = (f64[all + column * stride + other]! - mean * f64[sums + other]!) / count;
        f64[covariance + column * stride + other] = value;
        f64[covariance + other * stride + column] = value;
      }
    }
    let total = 0;
    for (let column = 0; column < columns; column++) total += this.#variance(column);
    return total;
  }

  /** The variance of a column. */
  #variance(column: number): number {
    return Math.max(0, this.#arena.f64[(this.#places.covariance >> 3) + column * (this.#places.stride + 1)]!);
  }

  exists(component: number): boolean {
    const { f64 } = this.#arena;
    const start = (this.#places.basis >> 3) + component * this.#places.stride;
    return dot(f64, start, f64, start, this.#places.stride) > 0;
  }

  project(): void {
    const { f64 } = this.#arena;
    const { stride, basis, images, small } = this.#places;
    for (let component = 0; component < this.#shape.components; component++) {
      const row = (basis >> 3) + component * stride;
      f64[(small >> 3) + component] = dot(f64, images >> 3, f64, row, stride);
    }
  }

  iterate(): void {
    this.#multiply();
    const { basis, images, stride } = this.#places;
    const start = images >> 3;
    this.#arena.f64.copyWithin(basis >> 3, start, start + this.#shape.components * stride);
    this.#orthonormalize();
  }

  align(total: number): void {
    const { f64 } = this.#arena;
    const { components } = this.#shape;
    const { stride } = this.#places;
    this.#multiply();
    this.#covaryComponents();
    diagonalize(f64, this.#places.small >> 3, this.#places.vectors >> 3, components);
    for (let rank = 0; rank < components; rank++) this.#takeLargest(rank);
    this.#orthonormalize();
    for (let component = 0; component < components; component++) {
      if (!this.#isRounding(component, total)) continue;
      const start = (this.#places.basis >> 3) + component * stride;
      f64[(this.#places.variances >> 3) + component] = 0;
      f64.fill(0, start, start + stride);
    }
  }

  /** Whether the variance of a component could be the rounding of the products of its columns. */
  #isRounding(component: number, total: number): boolean {
    const { f64 } = this.#arena;
    const variance = f64[(this.#places.variances >> 3) + component]!;
    // The sum below is at most the square root of the total.
    if (variance > ROUNDING * total) return false;
    const start = (this.#places.basis >> 3) + component * this.#places.stride;
    let sum = 0;
    for (let column = 0; column < this.#shape.columns; column++)
      sum += Math.abs(f64[start + column]!) * Math.sqrt(this.#variance(column));
    return variance <= ROUNDING * sum * sum;
  }

  /** Makes what the covariance makes of the direction of the largest variance that is left a component, whose largest entry is positive. */
  #takeLargest(rank: number): void {
    const { f64 } = this.#arena;
    const { columns, components } = this.#shape;
    const small = this.#places.small >> 3;
    const varianceAt = (index: number) => small + index * (components + 1);
    let best = 0;
    for (let index = 1; index < components; index++) {
      if (f64[varianceAt(index)]! > f64[varianceAt(best)]!) best = index;
    }
    f64[(this.#places.variances >> 3) + rank] = Math.max(0, f64[varianceAt(best)]!);
    f64[varianceAt(best)] = Number.NEGATIVE_INFINITY;
    this.#combine(best, rank);
    const start = (this.#places.basis >> 3) + rank * this.#places.stride;
    let largest = 0;
    let sign = 1;
    for (let at = start; at < start + columns; at++) {
      const entry = f64[at]!;
      if (Math.abs(entry) > largest) {
        largest = Math.abs(entry);
        sign = entry;
      }
    }
    if (sign > 0) return;
    for (let at = start; at < start + columns; at++) f64[at] = -f64[at]!;
  }

  /** Multiplies the components by the covariance. */
  #multiply(): void {
    const { f64 } = this.#arena;
    const { columns, components } = this.#shape;
    const { stride } = this.#places;
    const covariance = this.#places.covariance >> 3;
    for (let component = 0; component < components; component++) {
      const from = (this.#places.basis >> 3) + component * stride;
      const to = (this.#places.images >> 3) + component * stride;
      f64.fill(0, to, to + stride);
      for (let row = 0; row < columns; row++) {
        const value = f64[from + row]!;
        const base = covariance + row * stride;
        for (let column = 0; column < stride; column++) {
          f64[to + column] = f64[to + column]! + value * f64[base + column]!;
        }
      }
    }
  }

  #orthonormalize(): void {
    orthonormalize(this.#arena.f64, this.#places.basis >> 3, this.#shape.components, this.#places.stride);
  }

  /** The products of components and images, as the small matrix. */
  #covaryComponents(): void {
    const { f64 } = this.#arena;
    const { components } = this.#shape;
    const { stride } = this.#places;
    const small = this.#places.small >> 3;
    for (let row = 0; row < components; row++) {
      const from = (this.#places.basis >> 3) + row * stride;
      for (let column = row; column < components; column++) {
        const image = (this.#places.images >> 3) + column * stride;
        const product = dot(f64, from, f64, image, stride);
        f64[small + row * components + column] = product;
        f64[small + column * components + row] = product;
      }
    }
  }

  /** Writes the sum of the images, times the factors in a row of the small vectors, as a component. */
  #combine(row: number, component: number): void {
    const { f64 } = this.#arena;
    const { components } = this.#shape;
    const { stride } = this.#places;
    const factors = (this.#places.vectors >> 3) + row * components;
    const to = (this.#places.basis >> 3) + component * stride;
    for (let column = 0; column < stride; column++) {
      let sum = 0;
      for (let index = 0; index < components; index++) {
        sum += f64[factors + index]! * f64[(this.#places.images >> 3) + index * stride + column]!;
      }
      f64[to + column] = sum;
    }
  }
}
