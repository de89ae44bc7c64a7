// A linear model on random features. The module has a memory of its own, which its caller lays out; src/linear/layout.ts describes the parts,
// and src/linear/javascript.ts is the same in TypeScript. Vectors go across features or rows, never across what is summed up, except in
// `solve`, whose four sums are part of the definition.

const ROWS: usize = 16;
const ROW_BYTES: usize = ROWS << 2;

let columns: usize = 0;
let features: usize = 0;
let stride: usize = 0;
let height: usize = 0;
let projection: usize = 0;
let offsets: usize = 0;
let factor: usize = 0;
let input: usize = 0;
let vector: usize = 0;
let weights: usize = 0;
let block: usize = 0;
let blockFeatures: usize = 0;
let means: usize = 0;
let spreads: usize = 0;

export function shape(columns_: usize, features_: usize, stride_: usize, height_: usize): void {
  columns = columns_;
  features = features_;
  stride = stride_;
  height = height_;
}

export function place(
  projection_: usize,
  offsets_: usize,
  factor_: usize,
  input_: usize,
  vector_: usize,
  weights_: usize,
): void {
  projection = projection_;
  offsets = offsets_;
  factor = factor_;
  input = input_;
  vector = vector_;
  weights = weights_;
}

export function placeBlock(block_: usize, blockFeatures_: usize, means_: usize, spreads_: usize): void {
  block = block_;
  blockFeatures = blockFeatures_;
  means = means_;
  spreads = spreads_;
}

export function update(label: f32): void {
  expand();
  store<f32>(vector + (features << 2), label);
  rotate();
}

/** The features of a row. Those after the last become 0. */
function expand(): void {
  const zero = f32x4.splat(0);
  const end = stride << 2;
  let at: usize = 0;
  for (; at + 48 < end; at += 64) {
    let a = v128.load(offsets + at);
    let b = v128.load(offsets + at, 16);
    let c = v128.load(offsets + at, 32);
    let d = v128.load(offsets + at, 48);
    let row = projection + at;
    for (let column: usize = 0; column < columns; column++) {
      const value = v128.load32_splat(input + (column << 2));
      a = f32x4.add(a, f32x4.mul(value, v128.load(row)));
      b = f32x4.add(b, f32x4.mul(value, v128.load(row, 16)));
      c = f32x4.add(c, f32x4.mul(value, v128.load(row, 32)));
      d = f32x4.add(d, f32x4.mul(value, v128.load(row, 48)));
      row += end;
    }
    v128.store(vector + at, f32x4.pmax(zero, a));
    v128.store(vector + at, f32x4.pmax(zero, b), 16);
    v128.store(vector + at, f32x4.pmax(zero, c), 32);
    v128.store(vector + at, f32x4.pmax(zero, d), 48);
  }
  for (; at < end; at += 16) {
    let a = v128.load(offsets + at);
    for (let column: usize = 0; column < columns; column++) {
      const value = v128.load32_splat(input + (column << 2));
      a = f32x4.add(a, f32x4.mul(value, v128.load(projection + column * end + at)));
    }
    v128.store(vector + at, f32x4.pmax(zero, a));
  }
}

/** Adds the vector's outer product to the product of the factor and its transpose, by Givens rotations. */
function rotate(): void {
  for (let k: usize = 0; k <= features; k++) {
    const x = load<f32>(vector + (k << 2));
    if (x == 0) continue;
    const column = factor + ((k * height) << 2);
    const diagonal = load<f32>(column + (k << 2));
    const length = sqrt<f32>(diagonal * diagonal + x * x);
    if (length == 0) continue;
    const cosine = diagonal / length;
    const sine = x / length;
    store<f32>(column + (k << 2), length);
    let row = k + 1;
    for (; row <= features && (row & 3) != 0; row++) {
      const old = load<f32>(column + (row << 2));
      const value = load<f32>(vector + (row << 2));
      store<f32>(column + (row << 2), cosine * old + sine * value);
      store<f32>(vector + (row << 2), cosine * value - sine * old);
    }
    const cosines = f32x4.splat(cosine);
    const sines = f32x4.splat(sine);
    for (; row <= features; row += 4) {
      const old = v128.load(column + (row << 2));
      const value = v128.load(vector + (row << 2));
      v128.store(column + (row << 2), f32x4.add(f32x4.mul(cosines, old), f32x4.mul(sines, value)));
      v128.store(vector + (row << 2), f32x4.sub(f32x4.mul(cosines, value), f32x4.mul(sines, old)));
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
  const zero = f32x4.splat(0);
  let mean0 = zero;
  let mean1 = zero;
  let mean2 = zero;
  let mean3 = zero;
  for (let feature: usize = 0; feature < features; feature++) {
    let a = v128.load32_splat(offsets + (feature << 2));
    let b = a;
    let c = a;
    let d = a;
    let row = block;
    let weight = projection + (feature << 2);
    for (let column: usize = 0; column < columns; column++) {
      const factors = v128.load32_splat(weight);
      a = f32x4.add(a, f32x4.mul(v128.load(row), factors));
      b = f32x4.add(b, f32x4.mul(v128.load(row, 16), factors));
      c = f32x4.add(c, f32x4.mul(v128.load(row, 32), factors));
      d = f32x4.add(d, f32x4.mul(v128.load(row, 48), factors));
      row += ROW_BYTES;
      weight += stride << 2;
    }
    a = f32x4.pmax(zero, a);
    b = f32x4.pmax(zero, b);
    c = f32x4.pmax(zero, c);
    d = f32x4.pmax(zero, d);
    const to = blockFeatures + feature * ROW_BYTES;
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
    const weights4 = v128.load32_splat(weights + (feature << 2));
    mean0 = f32x4.add(mean0, f32x4.mul(a, weights4));
    mean1 = f32x4.add(mean1, f32x4.mul(b, weights4));
    mean2 = f32x4.add(mean2, f32x4.mul(c, weights4));
    mean3 = f32x4.add(mean3, f32x4.mul(d, weights4));
  }
  v128.store(means, mean0);
  v128.store(means, mean1, 16);
  v128.store(means, mean2, 32);
  v128.store(means, mean3, 48);
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
