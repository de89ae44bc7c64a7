// Sums and products of principal components. The module has a memory of its own, which its caller lays out; src/pca/layout.ts describes the
// parts, and src/pca/javascript.ts is the same in TypeScript. Vectors go across columns.
import {
  basis,
  block,
  blockProducts,
  blockSums,
  columns,
  components,
  covariance,
  images,
  means,
  one,
  products,
  shift,
  small,
  stride,
  sums,
  variances,
  vectors,
} from "./pca-places";
import { multiply as multiplyFloats } from "./products";

const EXPONENT_BITS: i32 = 23;
const SCALED: i32 = 253;
const SWEEPS: i32 = 16;
const SMALL: f64 = 1e-16;
const ROUNDING: f64 = 1.0 / 1048576.0;

/** Adds the first rows of the block to the sums. */
export function add(count: usize): void {
  store<f32>(one, 1);
  const unit = scale(count);
  multiplyFloats(one, 0, 0, 1, count, block, stride, -1, blockSums, false);
  multiplyFloats(block, 1, stride, columns, count, block, stride, -1, blockProducts, true);
  addTo(sums, blockSums, stride, unit);
  for (let column: usize = 0; column < columns; column++) {
    const first = column & ~3;
    const at = column * stride + first;
    addTo(products + (at << 3), blockProducts + (at << 2), stride - first, unit * unit);
  }
}

/** Adds values in a unit to sums. */
function addTo(to: usize, from: usize, count: usize, unit: f64): void {
  const units = f64x2.splat(unit);
  for (const end = from + (count << 2); from < end; from += 8) {
    const values = f64x2.promote_low_f32x4(v128.load64_zero(from));
    v128.store(to, f64x2.add(v128.load(to), f64x2.mul(values, units)));
    to += 16;
  }
}

/** Makes the rows relative to the shift, and the largest of the values about 1; returns what 1 is then. */
function scale(count: usize): f64 {
  const end = block + ((count * stride) << 2);
  let origin = shift;
  let largest = largestOf(end, origin);
  let unit: f64 = 1;
  if (largest == <f32>Infinity) {
    // Differences of the largest values are no f32, but a quarter of these is.
    origin = blockSums;
    quarter(block, end, block);
    quarter(shift, shift + (stride << 2), origin);
    largest = largestOf(end, origin);
    unit = 4;
  }
  const exponent = max<i32>(1, min<i32>(SCALED, SCALED - (reinterpret<i32>(largest) >> EXPONENT_BITS)));
  const scale = reinterpret<f32>(exponent << EXPONENT_BITS);
  const scales = f32x4.splat(scale);
  for (let row = block; row < end; ) {
    for (let at: usize = 0; at < stride << 2; at += 16) {
      v128.store(row, f32x4.mul(f32x4.sub(v128.load(row), v128.load(origin + at)), scales));
      row += 16;
    }
  }
  return unit / <f64>scale;
}

function quarter(from: usize, end: usize, to: usize): void {
  for (; from < end; from += 16) {
    v128.store(to, f32x4.mul(v128.load(from), f32x4.splat(0.25)));
    to += 16;
  }
}

/** The largest distance of a value from the origin of its column. */
function largestOf(end: usize, origin: usize): f32 {
  const bytes = stride << 2;
  let most = f32x4.splat(0);
  let least = most;
  let otherMost = most;
  let otherLeast = most;
  for (let row = block; row < end; row += 2 * bytes) {
    // Two rows at a time, which do not wait for each other; if there is one, it is taken twice.
    const other = row + (row + bytes < end ? bytes : 0);
    for (let at: usize = 0; at < bytes; at += 16) {
      const values = v128.load(origin + at);
      const difference = f32x4.sub(v128.load(row + at), values);
      most = f32x4.pmax(most, difference);
      least = f32x4.pmin(least, difference);
      const otherDifference = f32x4.sub(v128.load(other + at), values);
      otherMost = f32x4.pmax(otherMost, otherDifference);
      otherLeast = f32x4.pmin(otherLeast, otherDifference);
    }
  }
  most = f32x4.pmax(f32x4.pmax(most, otherMost), f32x4.neg(f32x4.pmin(least, otherLeast)));
  return max<f32>(
    max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
}

/**
 * Computes the means and the covariance of `count` rows, two columns at a time; returns the sum of the variances. Entries above the diagonal
 * count: rows are computed from the last to the first, so that these are written last.
 */
export function covary(count: f64): f64 {
  const bytes = stride << 3;
  const counts = f64x2.splat(count);
  for (let row = <isize>columns - 1; row >= 0; row--) {
    const at = row << 3;
    const mean = load<f64>(sums + at) / count;
    store<f64>(means + at, <f64>load<f32>(shift + (row << 2)) + mean);
    const mean_ = f64x2.splat(mean);
    for (let column = <usize>row & ~1; column < columns; column += 2) {
      const entry = row * bytes + (column << 3);
      const products_ = f64x2.mul(mean_, v128.load(sums + (column << 3)));
      const values = f64x2.div(f64x2.sub(v128.load(products + entry), products_), counts);
      const mirrored = covariance + column * bytes + at;
      v128.store64_lane(mirrored, values, 0);
      if (column + 1 < columns) v128.store64_lane(mirrored + bytes, values, 1);
      v128.store(covariance + entry, values);
    }
  }
  let total: f64 = 0;
  for (let column: usize = 0; column < columns; column++) total += varianceOf(column);
  return total;
}

/** The variance of a column. */
function varianceOf(column: usize): f64 {
  return max<f64>(0, load<f64>(covariance + ((column * (stride + 1)) << 3)));
}

// @ts-ignore: decorator
@inline
function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** Multiplies the components by the covariance, four components and four columns at a time. */
function multiply(): void {
  const bytes = stride << 3;
  const end = columns << 3;
  for (let component: usize = 0; component < components; component += 4) {
    const from = basis + component * bytes;
    const to = images + component * bytes;
    // Where there are fewer, the last ones are computed again.
    const left = components - component - 1;
    const second = min<usize>(left, 1) * bytes;
    const third = min<usize>(left, 2) * bytes;
    const fourth = min<usize>(left, 3) * bytes;
    for (let at: usize = 0; at < bytes; at += 32) {
      let a0 = f64x2.splat(0);
      let a1 = a0;
      let b0 = a0;
      let b1 = a0;
      let c0 = a0;
      let c1 = a0;
      let d0 = a0;
      let d1 = a0;
      let base = covariance + at;
      for (let row = from; row < from + end; row += 8) {
        const near = v128.load(base);
        const far = v128.load(base, 16);
        const a = v128.load64_splat(row);
        a0 = multiplyAdd(a0, a, near);
        a1 = multiplyAdd(a1, a, far);
        const b = v128.load64_splat(row + second);
        b0 = multiplyAdd(b0, b, near);
        b1 = multiplyAdd(b1, b, far);
        const c = v128.load64_splat(row + third);
        c0 = multiplyAdd(c0, c, near);
        c1 = multiplyAdd(c1, c, far);
        const d = v128.load64_splat(row + fourth);
        d0 = multiplyAdd(d0, d, near);
        d1 = multiplyAdd(d1, d, far);
        base += bytes;
      }
      v128.store(to + at, a0);
      v128.store(to + at, a1, 16);
      v128.store(to + second + at, b0);
      v128.store(to + second + at, b1, 16);
      v128.store(to + third + at, c0);
      v128.store(to + third + at, c1, 16);
      v128.store(to + fourth + at, d0);
      v128.store(to + fourth + at, d1, 16);
    }
  }
}

/** The sum of products of two rows, in four parts. */
function dot(a: usize, b: usize): f64 {
  let low = f64x2.splat(0);
  let high = low;
  for (const end = a + (stride << 3); a < end; a += 32) {
    low = multiplyAdd(low, v128.load(a), v128.load(b));
    high = multiplyAdd(high, v128.load(a, 16), v128.load(b, 16));
    b += 32;
  }
  return (
    f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) +
    (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1))
  );
}

/** Makes the components orthogonal to those before them and of length 1. */
function orthonormalize(): void {
  const bytes = stride << 3;
  const end = basis + components * bytes;
  for (let row = basis; row < end; row += bytes) {
    const before = dot(row, row);
    for (let other = basis; other < row; other += bytes) {
      const part = f64x2.splat(dot(row, other));
      for (let at: usize = 0; at < bytes; at += 16) {
        v128.store(row + at, f64x2.sub(v128.load(row + at), f64x2.mul(part, v128.load(other + at))));
      }
    }
    const square = dot(row, row);
    const factor = f64x2.splat(square > before * 1e-24 ? 1 / sqrt<f64>(square) : 0);
    for (let at: usize = 0; at < bytes; at += 16) v128.store(row + at, f64x2.mul(v128.load(row + at), factor));
  }
}

/** Whether a component is not 0. */
export function exists(component: usize): bool {
  const row = basis + component * (stride << 3);
  return dot(row, row) > 0;
}

/** The products of the first image and each component. */
export function project(): void {
  for (let component: usize = 0; component < components; component++) {
    store<f64>(small + (component << 3), dot(images, basis + component * (stride << 3)));
  }
}

/** The products of components and images. */
function covaryComponents(): void {
  const bytes = stride << 3;
  for (let row: usize = 0; row < components; row++) {
    for (let column = row; column < components; column++) {
      const product = dot(basis + row * bytes, images + column * bytes);
      store<f64>(small + ((row * components + column) << 3), product);
      store<f64>(small + ((column * components + row) << 3), product);
    }
  }
}

/** Diagonalizes the small matrix by Jacobi rotations. */
function diagonalize(): void {
  const bytes = components << 3;
  memory.fill(vectors, 0, components * bytes);
  for (let index: usize = 0; index < components; index++) store<f64>(vectors + index * (bytes + 8), 1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p: usize = 0; p < components; p++) {
      for (let q = p + 1; q < components; q++) rotate(p, q);
    }
  }
}

/** Rotates rows and columns p and q of the small matrix so that their common entry becomes 0. */
function rotate(p: usize, q: usize): void {
  const bytes = components << 3;
  const rowP = p * bytes;
  const rowQ = q * bytes;
  const entry = load<f64>(small + rowP + (q << 3));
  const first = load<f64>(small + rowP + (p << 3));
  const second = load<f64>(small + rowQ + (q << 3));
  if (abs(entry) <= SMALL * (abs(first) + abs(second))) return;
  const ratio = (second - first) / (2 * entry);
  const root = sqrt<f64>(1 + ratio * ratio);
  const tangent = ratio >= 0 ? 1 / (ratio + root) : 1 / (ratio - root);
  const cosine = 1 / sqrt<f64>(1 + tangent * tangent);
  const sine = tangent * cosine;
  turn(small + (p << 3), small + (q << 3), bytes, cosine, sine);
  turn(small + rowP, small + rowQ, 8, cosine, sine);
  turn(vectors + rowP, vectors + rowQ, 8, cosine, sine);
}

/** Rotates the pairs of values of two rows or columns. */
function turn(first: usize, second: usize, step: usize, cosine: f64, sine: f64): void {
  for (let index: usize = 0; index < components; index++) {
    const a = load<f64>(first);
    const b = load<f64>(second);
    store<f64>(first, cosine * a - sine * b);
    store<f64>(second, sine * a + cosine * b);
    first += step;
    second += step;
  }
}

/** Writes images, by the factors of a row of vectors, as a component. */
function combine(row: usize, component: usize): void {
  const bytes = stride << 3;
  const factors = vectors + ((row * components) << 3);
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = f64x2.splat(0);
    let image = images + at;
    for (let index: usize = 0; index < components; index++) {
      sum = multiplyAdd(sum, v128.load64_splat(factors + (index << 3)), v128.load(image));
      image += bytes;
    }
    v128.store(basis + component * bytes + at, sum);
  }
}

export function iterate(): void {
  multiply();
  memory.copy(basis, images, components * (stride << 3));
  orthonormalize();
}

/** The last iteration, given the sum of the variances. */
export function align(total: f64): void {
  multiply();
  covaryComponents();
  diagonalize();
  for (let rank: usize = 0; rank < components; rank++) takeLargest(rank);
  orthonormalize();
  for (let component: usize = 0; component < components; component++) {
    if (!isRounding(component, total)) continue;
    store<f64>(variances + (component << 3), 0);
    memory.fill(basis + component * (stride << 3), 0, stride << 3);
  }
}

/** Makes what the covariance makes of the direction of the largest variance that is left a component, whose largest entry is positive. */
function takeLargest(rank: usize): void {
  const step = (components + 1) << 3;
  let best: usize = 0;
  for (let index: usize = 1; index < components; index++) {
    if (load<f64>(small + index * step) > load<f64>(small + best * step)) best = index;
  }
  const variance = small + best * step;
  store<f64>(variances + (rank << 3), max<f64>(0, load<f64>(variance)));
  store<f64>(variance, -Infinity);
  combine(best, rank);
  const start = basis + rank * (stride << 3);
  const end = start + (columns << 3);
  let largest: f64 = 0;
  let sign: f64 = 1;
  for (let at = start; at < end; at += 8) {
    const entry = load<f64>(at);
    if (abs(entry) > largest) {
      largest = abs(entry);
      sign = entry;
    }
  }
  if (sign > 0) return;
  for (let at = start; at < end; at += 8) store<f64>(at, -load<f64>(at));
}

/** Whether the variance of a component could be the rounding of the products of its columns. */
function isRounding(component: usize, total: f64): bool {
  const variance = load<f64>(variances + (component << 3));
  if (variance > ROUNDING * total) return false;
  let sum: f64 = 0;
  for (let column: usize = 0; column < columns; column++) {
    const entry = load<f64>(basis + ((component * stride + column) << 3));
    sum += abs(entry) * sqrt<f64>(varianceOf(column));
  }
  return variance <= ROUNDING * sum * sum;
}
