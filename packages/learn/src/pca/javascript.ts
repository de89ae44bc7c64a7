// Sums and products of principal components in JavaScript, in the order of assembly/pca.ts.
import type { Arena } from "../model/arena.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";

export class JavaScriptPca implements PcaKernels {
  readonly #f64: Float64Array;
  readonly #shape: PcaShape;
  readonly #places: PcaPlaces;

  constructor({ f64 }: Arena, places: PcaPlaces, shape: PcaShape) {
    this.#f64 = f64;
    this.#places = places;
    this.#shape = shape;
  }

  add(count: number): void {
    const f64 = this.#f64;
    const { columns } = this.#shape;
    const { stride } = this.#places;
    const products = this.#places.products >> 3;
    const sums = this.#places.sums >> 3;
    for (let row = 0; row < count; row++) {
      const start = (this.#places.block >> 3) + row * stride;
      for (let column = 0; column < columns; column++) {
        const value = f64[start + column]!;
        const base = products + column * stride;
        f64[sums + column] = f64[sums + column]! + value;
        for (let other = column - (column % 2); other < stride; other++) {
          f64[base + other] = f64[base + other]! + value * f64[start + other]!;
        }
      }
    }
  }

  multiply(): void {
    const f64 = this.#f64;
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
}
