// A linear model on random features in JavaScript. Every operation is rounded to f32, in the order of assembly/linear.ts.
import type { Arena } from "../model/arena.js";
import { multiply, relu } from "../model/dense.js";
import { useMemory } from "../model/lanes.js";
import { scaleRows } from "../model/scaling.js";
import {
  BLOCK_ROWS,
  LANES,
  LEAST_PIVOT,
  type LinearKernels,
  type LinearPlaces,
  type LinearShape,
} from "./layout.js";

const f = Math.fround;

export class JavaScriptLinear implements LinearKernels {
  readonly #arena: Arena;
  readonly #f32: Float32Array;
  readonly #shape: LinearShape;
  readonly #places: LinearPlaces;
  /** Where the mean and the deviation of each column are. */
  readonly #statistics: number;
  readonly #sums = new Float32Array(LANES);

  constructor(arena: Arena, places: LinearPlaces, shape: LinearShape, statistics: number) {
    this.#arena = arena;
    this.#statistics = statistics;
    this.#f32 = arena.f32;
    this.#places = places;
    this.#shape = shape;
  }

  update(label: number): void {
    const { columns, features } = this.#shape;
    const { projection, offsets, input, vector, height } = this.#places;
    scaleRows(this.#arena, input, 1, columns, this.#statistics);
    useMemory(this.#f32);
    multiply(input, 0, 1, 1, columns, projection, height, offsets, vector, false);
    relu(vector, height);
    this.#f32[(vector >> 2) + features] = label;
    this.#rotate();
  }

  add(rows: number): void {
    const f32 = this.#f32;
    const { columns, features } = this.#shape;
    const { projection, offsets, height, batch, batchFeatures, labels, products: sums } = this.#places;
    scaleRows(this.#arena, batch, rows, columns, this.#statistics);
    useMemory(f32);
    multiply(batch, columns, 1, rows, columns, projection, height, offsets, batchFeatures, false);
    relu(batchFeatures, rows * height);
    for (let row = 0; row < rows; row++) {
      f32[(batchFeatures >> 2) + row * height + features] = f32[(labels >> 2) + row]!;
    }
    multiply(batchFeatures, 1, height, features + 1, rows, batchFeatures, height, -1, sums, true);
    const factor = this.#places.factor >> 2;
    for (let column = 0; column <= features; column++) {
      const start = column * height;
      for (let index = start + (column & ~3); index < start + height; index++) {
        f32[factor + index] = f32[factor + index]! + f32[(sums >> 2) + index]!;
      }
    }
  }

  decompose(): number {
    const f32 = this.#f32;
    const { features } = this.#shape;
    const { height } = this.#places;
    const factor = this.#places.factor >> 2;
    for (let column = 0; column <= features; column++) {
      const start = factor + column * height;
      const before = f32[start + column]!;
      for (let row = column; row <= features; row++) {
        let entry = f32[start + row]!;
        for (let k = factor; k < start; k += height) entry = f(entry - f(f32[k + row]! * f32[k + column]!));
        f32[start + row] = entry;
      }
      const pivot = f32[start + column]!;
      if (column < features && !(pivot > f(before * LEAST_PIVOT))) return column;
      const root = f(Math.sqrt(Math.max(0, pivot)));
      f32.fill(0, start, start + column);
      f32[start + column] = root;
      for (let row = column + 1; row <= features; row++) f32[start + row] = f32[start + row]! / root;
    }
    return -1;
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
    const { height } = this.#places;
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
          sum = f(sum + f(value * f32[projection + column * height + feature]!));
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
