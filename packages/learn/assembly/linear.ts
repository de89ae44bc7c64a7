// A linear model on random features. The module has a memory of its own, which its caller lays out; src/linear/layout.ts describes the parts,
// and src/linear/javascript.ts is the same in TypeScript. Vectors go across features or rows, never across what is summed up, except in
// `solve`, whose four sums are part of the definition.

import {
  batch,
  batchFeatures,
  block,
  blockFeatures,
  columns,
  factor,
  features,
  height,
  input,
  labels,
  means,
  offsets,
  projection,
  spreads,
  statistics,
  sums,
  vector,
  weights,
} from "./linear-places";
import { multiply, relu, scale } from "./products";

const ROWS: usize = 16;
const ROW_BYTES: usize = ROWS << 2;
const LEAST_PIVOT: f32 = 1.0 / 262144.0;

export function update(label: f32): void {
  scale(input, 1, columns, statistics);
  multiply(input, 0, 1, 1, columns, projection, height, offsets, vector, false);
  relu(vector, height);
  store<f32>(vector + (features << 2), label);
  rotate();
}

/** Adds the products of the features and labels of the first rows of a batch to the factor. */
export function add(rows: usize): void {
  scale(batch, rows, columns, statistics);
  multiply(batch, columns, 1, rows, columns, projection, height, offsets, batchFeatures, false);
  relu(batchFeatures, rows * height);
  let label = batchFeatures + (features << 2);
  for (let row: usize = 0; row < rows; row++) {
    store<f32>(label, load<f32>(labels + (row << 2)));
    label += height << 2;
  }
  multiply(batchFeatures, 1, height, features + 1, rows, batchFeatures, height, -1, sums, true);
  for (let column: usize = 0; column <= features; column++) {
    const start = (column * height) << 2;
    const end = start + (height << 2);
    for (let at = start + ((column & ~3) << 2); at < end; at += 16) {
      v128.store(factor + at, f32x4.add(v128.load(factor + at), v128.load(sums + at)));
    }
  }
}

/** Replaces a covariance by its Cholesky factor, four columns at a time; returns the first feature whose pivot is too small, or -1. */
export function decompose(): i32 {
  const bytes = height << 2;
  for (let first: usize = 0; first <= features; first += 4) {
    const start = factor + first * bytes;
    const width = min(<usize>4, features + 1 - first);
    // The products of a batch are no longer needed: their first values are the diagonal before.
    for (let index: usize = 0; index < width; index++) {
      store<f32>(sums + (index << 2), load<f32>(start + index * bytes + ((first + index) << 2)));
    }
    if (width == 4) subtractFour(first);
    else for (let index: usize = 0; index < width; index++) subtractFrom(first + index, factor, first);
    for (let index: usize = 0; index < width; index++) {
      const column = first + index;
      subtractFrom(column, start, index);
      const diagonal = start + index * bytes + (column << 2);
      const pivot = load<f32>(diagonal);
      if (column < features && !(pivot > load<f32>(sums + (index << 2)) * LEAST_PIVOT)) return <i32>column;
      const root = sqrt<f32>(max<f32>(0, pivot));
      const roots = f32x4.splat(root);
      for (let at = first << 2; at < bytes; at += 16) {
        const to = start + index * bytes + at;
        v128.store(to, f32x4.div(v128.load(to), roots));
      }
      memory.fill(start + index * bytes, 0, column << 2);
      store<f32>(diagonal, root);
      memory.fill(start + index * bytes + ((features + 1) << 2), 0, (height - features - 1) << 2);
    }
  }
  return -1;
}

/** Subtracts from a column its parts in `count` columns from `from` on. */
function subtractFrom(column: usize, from: usize, count: usize): void {
  const bytes = height << 2;
  const to = factor + column * bytes;
  for (let at = (column & ~3) << 2; at < bytes; at += 16) {
    let entries = v128.load(to + at);
    let k = from;
    for (let index: usize = 0; index < count; index++) {
      entries = subtract(entries, v128.load(k + at), v128.load32_splat(k + (column << 2)));
      k += bytes;
    }
    v128.store(to + at, entries);
  }
}

// @ts-ignore: decorator
@inline
function subtract(entries: v128, values: v128, factors: v128): v128 {
  return f32x4.sub(entries, f32x4.mul(values, factors));
}

/** Subtracts from four columns their parts in all columns before. */
function subtractFour(first: usize): void {
  const bytes = height << 2;
  const to = factor + first * bytes;
  const diagonal = first << 2;
  let at = diagonal;
  for (; at + 32 <= bytes; at += 32) {
    const near = to + at;
    const far = near + 2 * bytes;
    let a0 = v128.load(near);
    let a1 = v128.load(near, 16);
    let b0 = v128.load(near + bytes);
    let b1 = v128.load(near + bytes, 16);
    let c0 = v128.load(far);
    let c1 = v128.load(far, 16);
    let d0 = v128.load(far + bytes);
    let d1 = v128.load(far + bytes, 16);
    for (let k = factor; k < to; k += bytes) {
      const v0 = v128.load(k + at);
      const v1 = v128.load(k + at, 16);
      const a = v128.load32_splat(k + diagonal);
      a0 = subtract(a0, v0, a);
      a1 = subtract(a1, v1, a);
      const b = v128.load32_splat(k + diagonal, 4);
      b0 = subtract(b0, v0, b);
      b1 = subtract(b1, v1, b);
      const c = v128.load32_splat(k + diagonal, 8);
      c0 = subtract(c0, v0, c);
      c1 = subtract(c1, v1, c);
      const d = v128.load32_splat(k + diagonal, 12);
      d0 = subtract(d0, v0, d);
      d1 = subtract(d1, v1, d);
    }
    v128.store(near, a0);
    v128.store(near, a1, 16);
    v128.store(near + bytes, b0);
    v128.store(near + bytes, b1, 16);
    v128.store(far, c0);
    v128.store(far, c1, 16);
    v128.store(far + bytes, d0);
    v128.store(far + bytes, d1, 16);
  }
  for (; at < bytes; at += 16) {
    for (let index: usize = 0; index < 4; index++) {
      const near = to + index * bytes + at;
      let entries = v128.load(near);
      for (let k = factor; k < to; k += bytes) {
        entries = subtract(entries, v128.load(k + at), v128.load32_splat(k + diagonal + (index << 2)));
      }
      v128.store(near, entries);
    }
  }
}

/** Adds the vector's outer product to the product of the factor and its transpose, by Givens rotations. */
function rotate(): void {
  const bytes = height << 2;
  const end = vector + ((features + 1) << 2);
  let diagonal = factor;
  for (let first = vector; first < end; first += 4, diagonal += bytes + 4) {
    const x = load<f32>(first);
    if (x == 0) continue;
    const entry = load<f32>(diagonal);
    const length = sqrt<f32>(entry * entry + x * x);
    if (length == 0) continue;
    const cosine = entry / length;
    const sine = x / length;
    store<f32>(diagonal, length);
    let at = first + 4;
    let column = diagonal + 4;
    for (; at < end && (at & 15) != 0; at += 4, column += 4) {
      const old = load<f32>(column);
      const value = load<f32>(at);
      store<f32>(column, cosine * old + sine * value);
      store<f32>(at, cosine * value - sine * old);
    }
    const cosines = f32x4.splat(cosine);
    const sines = f32x4.splat(sine);
    for (; at + 16 < end; at += 32, column += 32) {
      const old0 = v128.load(column);
      const old1 = v128.load(column, 16);
      const value0 = v128.load(at);
      const value1 = v128.load(at, 16);
      v128.store(column, f32x4.add(f32x4.mul(cosines, old0), f32x4.mul(sines, value0)));
      v128.store(column, f32x4.add(f32x4.mul(cosines, old1), f32x4.mul(sines, value1)), 16);
      v128.store(at, f32x4.sub(f32x4.mul(cosines, value0), f32x4.mul(sines, old0)));
      v128.store(at, f32x4.sub(f32x4.mul(cosines, value1), f32x4.mul(sines, old1)), 16);
    }
    for (; at < end; at += 16, column += 16) {
      const old = v128.load(column);
      const value = v128.load(at);
      v128.store(column, f32x4.add(f32x4.mul(cosines, old), f32x4.mul(sines, value)));
      v128.store(at, f32x4.sub(f32x4.mul(cosines, value), f32x4.mul(sines, old)));
    }
  }
}

/** Solves for the weights, from the last to the first. */
export function solve(): void {
  memory.fill(weights, 0, height << 2);
  for (let k = <isize>features - 1; k >= 0; k--) {
    const column = factor + ((<usize>k * height) << 2);
    const right = load<f32>(column + (features << 2));
    // The weights up to k and after the last are 0, so whole vectors can be multiplied.
    let sums = f32x4.splat(0);
    for (let row = (<usize>k + 1) & ~3; row < features; row += 4) {
      sums = f32x4.add(sums, f32x4.mul(v128.load(column + (row << 2)), v128.load(weights + (row << 2))));
    }
    const sum =
      f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) +
      (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
    store<f32>(weights + (<usize>k << 2), (right - sum) / load<f32>(column + (<usize>k << 2)));
  }
}

/** The means of a block, and the squared spreads if they are asked for. */
export function predict(withSpreads: bool): void {
  for (let feature: usize = 0; feature < features; feature++) {
    const offset = v128.load32_splat(offsets + (feature << 2));
    const to = blockFeatures + feature * ROW_BYTES;
    v128.store(to, offset);
    v128.store(to, offset, 16);
    v128.store(to, offset, 32);
    v128.store(to, offset, 48);
  }
  multiply(projection, 1, height, features, columns, block, ROWS, blockFeatures, blockFeatures, false);
  relu(blockFeatures, features * ROWS);
  multiply(weights, 0, 1, 1, features, blockFeatures, ROWS, -1, means, false);
  if (withSpreads) spread();
}

/** The squared lengths of the features, solved by the factor. */
function spread(): void {
  const zero = f32x4.splat(0);
  let squares0 = zero;
  let squares1 = zero;
  let squares2 = zero;
  let squares3 = zero;
  for (let k: usize = 0; k < features; k++) {
    const column = factor + ((k * height) << 2);
    const diagonal = v128.load32_splat(column + (k << 2));
    const from = blockFeatures + k * ROW_BYTES;
    const a = f32x4.div(v128.load(from), diagonal);
    const b = f32x4.div(v128.load(from, 16), diagonal);
    const c = f32x4.div(v128.load(from, 32), diagonal);
    const d = f32x4.div(v128.load(from, 48), diagonal);
    squares0 = f32x4.add(squares0, f32x4.mul(a, a));
    squares1 = f32x4.add(squares1, f32x4.mul(b, b));
    squares2 = f32x4.add(squares2, f32x4.mul(c, c));
    squares3 = f32x4.add(squares3, f32x4.mul(d, d));
    let to = from + ROW_BYTES;
    for (let below = k + 1; below < features; below++) {
      const entry = v128.load32_splat(column + (below << 2));
      v128.store(to, f32x4.sub(v128.load(to), f32x4.mul(entry, a)));
      v128.store(to, f32x4.sub(v128.load(to, 16), f32x4.mul(entry, b)), 16);
      v128.store(to, f32x4.sub(v128.load(to, 32), f32x4.mul(entry, c)), 32);
      v128.store(to, f32x4.sub(v128.load(to, 48), f32x4.mul(entry, d)), 48);
      to += ROW_BYTES;
    }
  }
  v128.store(spreads, squares0);
  v128.store(spreads, squares1, 16);
  v128.store(spreads, squares2, 32);
  v128.store(spreads, squares3, 48);
}
