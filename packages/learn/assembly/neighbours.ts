// Nearest neighbours by comparing with every row. The module has a memory of its own, which its caller lays out;
// src/neighbours/layout.ts describes the parts, and src/neighbours/javascript.ts is the same in TypeScript.

const ROW_BYTES: usize = 16 << 2;
const MOST_DISTANCE: f32 = 3.4028234663852886e38;

let columns: usize = 0;
let k: usize = 0;
let rows: usize = 0;
let query: usize = 0;
let distances: usize = 0;
let nearest: usize = 0;
let ages: usize = 0;

export function place(
  columns_: usize,
  k_: usize,
  rows_: usize,
  query_: usize,
  distances_: usize,
  nearest_: usize,
  ages_: usize,
): void {
  columns = columns_;
  k = k_;
  rows = rows_;
  query = query_;
  distances = distances_;
  nearest = nearest_;
  ages = ages_;
}

export function find(count: usize): usize {
  measure(count);
  let found: usize = 0;
  let age: usize = 0;
  for (; age < count && found < k; age++) insert(found++, load<f32>(distances + (age << 2)), age);
  const last = nearest + ((k - 1) << 2);
  for (; age < count && (age & 3) != 0; age++) consider(age, last);
  for (; age + 4 <= count; age += 4) {
    if (!v128.any_true(f32x4.lt(v128.load(distances + (age << 2)), v128.load32_splat(last)))) continue;
    for (let lane: usize = 0; lane < 4; lane++) consider(age + lane, last);
  }
  for (; age < count; age++) consider(age, last);
  return found;
}

// @ts-ignore: decorator
@inline
function consider(age: usize, last: usize): void {
  const distance = load<f32>(distances + (age << 2));
  if (distance < load<f32>(last)) insert(k - 1, distance, age);
}

/** Puts a row among the neighbours, of which those up to place `end` may move up. */
function insert(end: usize, distance: f32, age: usize): void {
  let at = end;
  for (; at > 0 && load<f32>(nearest + ((at - 1) << 2)) > distance; at--) {
    store<f32>(nearest + (at << 2), load<f32>(nearest + ((at - 1) << 2)));
    store<u32>(ages + (at << 2), load<u32>(ages + ((at - 1) << 2)));
  }
  store<f32>(nearest + (at << 2), distance);
  store<u32>(ages + (at << 2), <u32>age);
}

// @ts-ignore: decorator
@inline
function square(sum: v128, values: v128, row: v128): v128 {
  const difference = f32x4.sub(values, row);
  return f32x4.add(sum, f32x4.mul(difference, difference));
}

/** The squared distances of all rows, 16 at a time. */
function measure(count: usize): void {
  const most = f32x4.splat(MOST_DISTANCE);
  const queryEnd = query + (columns << 2);
  let row = rows;
  for (let age: usize = 0; age < count; age += 16) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let value = query; value < queryEnd; value += 4) {
      const values = v128.load32_splat(value);
      a = square(a, values, v128.load(row));
      b = square(b, values, v128.load(row, 16));
      c = square(c, values, v128.load(row, 32));
      d = square(d, values, v128.load(row, 48));
      row += ROW_BYTES;
    }
    const to = distances + (age << 2);
    v128.store(to, f32x4.min(a, most));
    v128.store(to, f32x4.min(b, most), 16);
    v128.store(to, f32x4.min(c, most), 32);
    v128.store(to, f32x4.min(d, most), 48);
  }
}
