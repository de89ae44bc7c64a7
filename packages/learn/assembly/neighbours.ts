// Nearest neighbours by comparing with every row. The module has a memory of its own, which its caller lays out;
// src/neighbours/layout.ts describes the parts, and src/neighbours/javascript.ts is the same in TypeScript. Distances are never negative, so
// their bits are compared, of which 0xffffffff is a place without a neighbour.

const VECTOR: usize = 16;
const ROW_BYTES: usize = 16 << 2;
const MOST_DISTANCE: f32 = 3.4028234663852886e38;

// What the module is instantiated with: sizes, and the parts of `NeighboursPlaces`, in its order.

// @ts-ignore: decorator
@external("places", "0")
declare const columns: usize;
// @ts-ignore: decorator
@external("places", "1")
declare const k: usize;
// @ts-ignore: decorator
@external("places", "2")
declare const rows: usize;
// @ts-ignore: decorator
@external("places", "3")
declare const query: usize;
// @ts-ignore: decorator
@external("places", "4")
declare const distances: usize;
// @ts-ignore: decorator
@external("places", "5")
declare const nearest: usize;
// @ts-ignore: decorator
@external("places", "6")
declare const ages: usize;

export function find(count: usize, queries: usize): void {
  const second = nearest + (((k + 7) & ~3) << 2);
  const bytes = columns << 2;
  const queryEnd = query + bytes;
  memory.fill(nearest, 0xff, k << 2);
  memory.fill(second, 0xff, k << 2);
  let row = rows;
  for (let age: usize = 0; age < count; age += 16) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    if (queries < 2) {
      for (let value = query; value < queryEnd; value += 4) {
        const values = v128.load32_splat(value);
        a = square(a, values, v128.load(row));
        b = square(b, values, v128.load(row, 16));
        c = square(c, values, v128.load(row, 32));
        d = square(d, values, v128.load(row, 48));
        row += ROW_BYTES;
      }
    } else {
      let e = a;
      let f = a;
      let g = a;
      let h = a;
      for (let value = query; value < queryEnd; value += 4) {
        const values = v128.load32_splat(value);
        a = square(a, values, v128.load(row));
        b = square(b, values, v128.load(row, 16));
        c = square(c, values, v128.load(row, 32));
        d = square(d, values, v128.load(row, 48));
        const others = v128.load32_splat(value + bytes);
        e = square(e, others, v128.load(row));
        f = square(f, others, v128.load(row, 16));
        g = square(g, others, v128.load(row, 32));
        h = square(h, others, v128.load(row, 48));
        row += ROW_BYTES;
      }
      consider(e, f, g, h, second, age, count);
    }
    consider(a, b, c, d, nearest, age, count);
  }
}

// @ts-ignore: decorator
@inline
function square(sum: v128, values: v128, row: v128): v128 {
  const difference = f32x4.sub(values, row);
  return f32x4.add(sum, f32x4.mul(difference, difference));
}

/** Considers the rows of a block as neighbours, if they are among the first `count`. */
function consider(a: v128, b: v128, c: v128, d: v128, list: usize, age: usize, count: usize): void {
  const last = list + ((k - 1) << 2);
  const limit = v128.load32_splat(last);
  const low = i16x8.narrow_i32x4_s(i32x4.ge_u(a, limit), i32x4.ge_u(b, limit));
  const high = i16x8.narrow_i32x4_s(i32x4.ge_u(c, limit), i32x4.ge_u(d, limit));
  let near = ~(i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) | (-1 << <i32>min(count - age, 16)));
  if (near == 0) return;
  v128.store(distances, a);
  v128.store(distances, b, 16);
  v128.store(distances, c, 32);
  v128.store(distances, d, 48);
  do {
    const lane: usize = ctz(near);
    insert(list, min(load<f32>(distances + (lane << 2)), MOST_DISTANCE), age + lane);
    near &= near - 1;
  } while (near != 0);
}

/** Puts a row among the neighbours, after those that are as near: the last four places first, until the place before them is nearer. */
function insert(list: usize, distance: f32, age: usize): void {
  const limit = f32x4.splat(distance);
  const one = i32x4.splat(<i32>age);
  const toAge = ages - nearest;
  let at = list + (((k - 1) & ~3) << 2) + 12;
  do {
    at -= VECTOR;
    const values = v128.load(at, 4);
    const before = v128.load(at);
    const moved = v128.bitselect(one, v128.load(at + toAge), i32x4.ge_u(limit, before));
    v128.store(at + toAge, v128.bitselect(v128.load(at + toAge, 4), moved, i32x4.ge_u(limit, values)), 4);
    v128.store(at, i32x4.min_u(values, i32x4.max_u(before, limit)), 4);
  } while (load<u32>(at) > reinterpret<u32>(distance));
}
