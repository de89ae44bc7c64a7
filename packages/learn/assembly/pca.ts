// Sums and products of principal components. The module has a memory of its own, which its caller lays out; src/pca/layout.ts describes the
// parts, and src/pca/javascript.ts is the same in TypeScript. Vectors go across columns.

let columns: usize = 0;
let components: usize = 0;
/** The bytes of a row. */
let bytes: usize = 0;
let block: usize = 0;
let sums: usize = 0;
let products: usize = 0;
let covariance: usize = 0;
let basis: usize = 0;
let images: usize = 0;

export function place(
  columns_: usize,
  components_: usize,
  stride: usize,
  block_: usize,
  sums_: usize,
  products_: usize,
  covariance_: usize,
  basis_: usize,
  images_: usize,
): void {
  columns = columns_;
  components = components_;
  bytes = stride << 3;
  block = block_;
  sums = sums_;
  products = products_;
  covariance = covariance_;
  basis = basis_;
  images = images_;
}

/** Adds rows to the sums, eight at a time. */
export function add(count: usize): void {
  let row: usize = 0;
  for (; row + 8 <= count; row += 8) addEight(block + row * bytes);
  for (; row < count; row++) addOne(block + row * bytes);
}

// @ts-ignore: decorator
@inline
function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

function addOne(row: usize): void {
  for (let column: usize = 0; column < columns; column++) {
    const value = load<f64>(row + (column << 3));
    const base = products + column * bytes;
    store<f64>(sums + (column << 3), load<f64>(sums + (column << 3)) + value);
    const values = f64x2.splat(value);
    for (let at = (column & ~1) << 3; at < bytes; at += 16) {
      v128.store(base + at, multiplyAdd(v128.load(base + at), values, v128.load(row + at)));
    }
  }
}

function addEight(row: usize): void {
  const bytes2 = 2 * bytes;
  const bytes3 = 3 * bytes;
  const bytes4 = 4 * bytes;
  for (let column: usize = 0; column < columns; column++) {
    const from = row + (column << 3);
    const far = from + bytes4;
    const base = products + column * bytes;
    let sum = load<f64>(sums + (column << 3));
    sum += load<f64>(from);
    sum += load<f64>(from + bytes);
    sum += load<f64>(from + bytes2);
    sum += load<f64>(from + bytes3);
    sum += load<f64>(far);
    sum += load<f64>(far + bytes);
    sum += load<f64>(far + bytes2);
    sum += load<f64>(far + bytes3);
    store<f64>(sums + (column << 3), sum);
    const a = v128.load64_splat(from);
    const b = v128.load64_splat(from + bytes);
    const c = v128.load64_splat(from + bytes2);
    const d = v128.load64_splat(from + bytes3);
    const e = v128.load64_splat(far);
    const f = v128.load64_splat(far + bytes);
    const g = v128.load64_splat(far + bytes2);
    const h = v128.load64_splat(far + bytes3);
    for (let at = (column & ~1) << 3; at < bytes; at += 16) {
      const near4 = row + at;
      const far4 = near4 + bytes4;
      let total = v128.load(base + at);
      total = multiplyAdd(total, a, v128.load(near4));
      total = multiplyAdd(total, b, v128.load(near4 + bytes));
      total = multiplyAdd(total, c, v128.load(near4 + bytes2));
      total = multiplyAdd(total, d, v128.load(near4 + bytes3));
      total = multiplyAdd(total, e, v128.load(far4));
      total = multiplyAdd(total, f, v128.load(far4 + bytes));
      total = multiplyAdd(total, g, v128.load(far4 + bytes2));
      total = multiplyAdd(total, h, v128.load(far4 + bytes3));
      v128.store(base + at, total);
    }
  }
}

/** Multiplies the components by the covariance. */
export function multiply(): void {
  memory.fill(images, 0, components * bytes);
  for (let component: usize = 0; component < components; component++) {
    const from = basis + component * bytes;
    const to = images + component * bytes;
    for (let row: usize = 0; row < columns; row++) {
      const value = v128.load64_splat(from + (row << 3));
      const base = covariance + row * bytes;
      for (let at: usize = 0; at < bytes; at += 16) {
        v128.store(to + at, multiplyAdd(v128.load(to + at), value, v128.load(base + at)));
      }
    }
  }
}
