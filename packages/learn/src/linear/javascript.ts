// A linear model on random features in JavaScript. Every operation is rounded to f32, in the order of assembly/linear.ts.
import type { Arena } from "../model/arena.js";
import { BLOCK_ROWS, LANES, type LinearKernels, type LinearPlaces, type LinearShape } from "./layout.js";

const f = Math.fround;

export class JavaScriptLinear implements LinearKernels {
  readonly #f32: Float32Array;
  readonly #shape: LinearShape;
  readonly #places: LinearPlaces;
  readonly #sums = new Float32Array(LANES);

  constructor(arena: Arena, places: LinearPlaces, shape: LinearShape) {
    this.#f32 = arena.f32;
    this.#places = places;
    this.#shape = shape;
  }

  update(label: number): void {
    this.#expand();
    this.#f32[(this.#places.vector >> 2) + this.#shape.features] = label;
    this.#rotate();
  }

  /** The features of a row: a random projection, of which negative values become 0. */
  #expand(): void {
    const f32 = this.#f32;
    const { columns, features } = this.#shape;
    const { stride } = this.#places;
    const input = this.#places.input >> 2;
    const vector = this.#places.vector >> 2;
    const offsets = this.#places.offsets >> 2;
    const projection = this.#places.projection >> 2;
    for (let feature = 0; feature < features; feature++) {
      let sum = f32[offsets + feature]!;
      for (let column = 0; column < columns; column++) {
        sum = f(sum + f(f32[input + column]! * f32[projection + column * stride + feature]!));
      }
      f32[vector + feature] = Math.max(0, sum);
    }
  }

  /** Adds the vector's outer product to the product of the factor and its transpose, by Givens rotations. */
  #rotate(): void {
    const f32 = this.#f32;
    const { features } = this.#shape;
    const { height } = this.#places;
    const vector = this.#places.vector >> 2;
    const factor = this.#places.factor >> 2;
    for (let k = 0; k <= features; k++) {
      const x = f32[vector + k]!;
      if (x === 0) continue;
      const column = factor + k * height;
      const diagonal = f32[column + k]!;
      const length = f(Math.sqrt(f(f(diagonal * diagonal) + f(x * x))));
      // A vector whose square is too small to be one changes nothing.
      if (length === 0) continue;
      const cosine = f(diagonal / length);
      const sine = f(x / length);
      f32[column + k] = length;
      for (let row = k + 1; row <= features; row++) {
        const old = f32[column + row]!;
        const value = f32[vector + row]!;
        f32[column + row] = f(f(cosine * old) + f(sine * value));
        f32[vector + row] = f(f(cosine * value) - f(sine * old));
      }
    }
  }

  solve(): void {
    const f32 = this.#f32;
    const { features } = this.#shape;
    const { height } = this.#places;
    const factor = this.#places.factor >> 2;
    const weights = this.#places.weights >> 2;
    const sums = this.#sums;
    f32.fill(0, weights, weights + height);
    for (let k = features - 1; k >= 0; k--) {
      const column = factor + k * height;
      const right = f32[column + features]!;
      sums.fill(0);
      for (let row = k + 1; row < features; row++) {
        const lane = row % LANES;
        sums[lane] = sums[lane]! + f(f32[column + row]! * f32[weights + row]!);
      }
      const sum = f(f(sums[0]! + sums[1]!) + f(sums[2]! + sums[3]!));
      f32[weights + k] = f(f(right - sum) / f32[column + k]!);
    }
  }

  predict(withSpreads: boolean): void {
    const f32 = this.#f32;
    const { columns, features } = this.#shape;
    const { stride } = this.#places;
    const block = this.#places.block >> 2;
    const offsets = this.#places.offsets >> 2;
    const projection = this.#places.projection >> 2;
    const values = this.#places.blockFeatures >> 2;
    const weights = this.#places.weights >> 2;
    const means = this.#places.means >> 2;
    for (let row = 0; row < BLOCK_ROWS; row++) {
      let mean = 0;
      for (let feature = 0; feature < features; feature++) {
        let sum = f32[offsets + feature]!;
        for (let column = 0; column < columns; column++) {
          const value = f32[block + column * BLOCK_ROWS + row]!;
          sum = f(sum + f(value * f32[projection + column * stride + feature]!));
        }
        sum = Math.max(0, sum);
        f32[values + feature * BLOCK_ROWS + row] = sum;
        mean = f(mean + f(sum * f32[weights + feature]!));
      }
      f32[means + row] = mean;
    }
    if (withSpreads) this.#spread();
  }

  /** The squared lengths of the features, solved by the factor. */
  #spread(): void {
    const f32 = this.#f32;
    const { features } = this.#shape;
    const { height } = this.#places;
    const factor = this.#places.factor >> 2;
    const values = this.#places.blockFeatures >> 2;
    const spreads = this.#places.spreads >> 2;
    for (let row = 0; row < BLOCK_ROWS; row++) {
      let squares = 0;
      for (let k = 0; k < features; k++) {
        const column = factor + k * height;
        const value = f(f32[values + k * BLOCK_ROWS + row]! / f32[column + k]!);
        squares = f(squares + f(value * value));
        for (let below = k + 1; below < features; below++) {
          const at = values + below * BLOCK_ROWS + row;
          f32[at] = f(f32[at]! - f(f32[column + below]! * value));
        }
      }
      f32[spreads + row] = squares;
    }
  }
}
