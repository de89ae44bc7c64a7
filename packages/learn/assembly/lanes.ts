// Vectors of four f32; src/model/lanes.ts has vectors of one for JavaScript, and says what each operation does.

/** The bytes of a vector. */
// @ts-ignore: decorator
@inline
export const VECTOR: usize = 16;

// @ts-ignore: decorator
@inline
export function load(at: usize, index: i32 = 0): v128 {
  // The index is known when this is compiled, and an offset in an instruction costs nothing.
  if (index == 1) return v128.load(at, 16);
  if (index == 2) return v128.load(at, 32);
  if (index == 3) return v128.load(at, 48);
  return v128.load(at);
}

// @ts-ignore: decorator
@inline
export function splat(at: usize, index: i32 = 0): v128 {
  if (index == 1) return v128.load32_splat(at, 4);
  if (index == 2) return v128.load32_splat(at, 8);
  if (index == 3) return v128.load32_splat(at, 12);
  return v128.load32_splat(at);
}

// @ts-ignore: decorator
@inline
export function store(at: usize, vector: v128): void {
  v128.store(at, vector);
}

// @ts-ignore: decorator
@inline
export function storeFour(at: usize, bytes: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, a);
  v128.store(at + bytes, b);
  v128.store(at + 2 * bytes, c);
  v128.store(at + 3 * bytes, d);
}

// @ts-ignore: decorator
@inline
export function zero(): v128 {
  return f32x4.splat(0);
}

// @ts-ignore: decorator
@inline
export function multiplyAdd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

// @ts-ignore: decorator
@inline
export function positive(vector: v128): v128 {
  return f32x4.pmax(f32x4.splat(0), vector);
}
