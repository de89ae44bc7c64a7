// Compares the f32 outputs of a code on consecutive inputs with what a reference expects, four at a time. Errors are those of
// src/exhaustive/errors.ts. The module has a memory of its own, which its caller lays out.

/** The first free address. */
export const firstFree: usize = __heap_base;

const EXPONENT: i64 = 0x7ff0000000000000;
const LEAST_NORMAL: f64 = 1.1754943508222875e-38;
/** 2^127 */
const GREATEST_POWER: f64 = 1.7014118346046923e38;
/** The bits of 2^23 times those of 1: minus the bits of a power of two, those of 2^23 divided by it. */
const ULPS: i64 = <i64>(2 * 1023 + 23) << 52;
/** From this magnitude on, numbers round to an infinite f32. */
const ROUNDS_TO_INFINITY: f64 = 3.4028235677973366e38;

let worst: f64 = 0;
let worstAt: i32 = -1;

/** The row with the largest error of the last comparison, if that is larger than `worst` was; -1 otherwise. */
export function worstRow(): i32 {
  return worstAt;
}

/** Writes the f32 whose bits are consecutive, beginning with `first`, and the same numbers as f64 unless `doubles` is 0. */
export function fill(floats: usize, doubles: usize, first: u32, rows: usize): void {
  let bits = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  const step = i32x4.splat(4);
  for (let row: usize = 0; row < rows; row += 4) {
    v128.store(floats + (row << 2), bits);
    if (doubles != 0) {
      v128.store(doubles + (row << 3), f64x2.promote_low_f32x4(bits));
      v128.store(doubles + (row << 3), f64x2.promote_low_f32x4(v128.shuffle<i64>(bits, bits, 1, 0)), 16);
    }
    bits = i32x4.add(bits, step);
  }
}

/**
 * Compares rows: f32 outputs with what is expected, f64 if `isDouble`, else f32. Errors are in ulp, or absolute.
 * @param limit the largest error that does not count as a mismatch
 * @param largest the largest error up to now
 * @returns the number of mismatches
 */
export function compare(
  outputs: usize,
  expected: usize,
  isDouble: bool,
  rows: usize,
  inUlp: bool,
  limit: f64,
  largest: f64,
): u32 {
  worst = largest;
  worstAt = -1;
  const whole = rows & ~3;
  const mismatches = isDouble
    ? inUlp
      ? compareFours(outputs, expected, true, whole, true, limit)
      : compareFours(outputs, expected, true, whole, false, limit)
    : inUlp
      ? compareFours(outputs, expected, false, whole, true, limit)
      : compareFours(outputs, expected, false, whole, false, limit);
  return mismatches + compareRows(outputs, expected, isDouble, whole, rows, inUlp, limit);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function compareFours(outputs: usize, expected: usize, isDouble: bool, rows: usize, inUlp: bool, limit: f64): u32 {
  let mismatches: u32 = 0;
  const most = f64x2.splat(limit);
  let known = f64x2.splat(min(worst, f64.MAX_VALUE));
  for (let row: usize = 0; row < rows; row += 4) {
    const output = v128.load(outputs + (row << 2));
    let low: v128;
    let high: v128;
    if (isDouble) {
      low = v128.load(expected + (row << 3));
      high = v128.load(expected + (row << 3), 16);
    } else {
      const floats = v128.load(expected + (row << 2));
      low = f64x2.promote_low_f32x4(floats);
      high = f64x2.promote_low_f32x4(v128.shuffle<i64>(floats, floats, 1, 0));
    }
    const first = errors(f64x2.promote_low_f32x4(output), low, inUlp);
    const second = errors(f64x2.promote_low_f32x4(v128.shuffle<i64>(output, output, 1, 0)), high, inUlp);
    // Comparisons with a NaN are false.
    if (i64x2.all_true(v128.and(f64x2.le(first, known), f64x2.le(second, known)))) {
      const large = v128.shuffle<i32>(f64x2.gt(first, most), f64x2.gt(second, most), 0, 2, 4, 6);
      mismatches += popcnt(i32x4.bitmask(large));
    } else {
      mismatches += compareRows(outputs, expected, isDouble, row, row + 4, inUlp, limit);
      known = f64x2.splat(min(worst, f64.MAX_VALUE));
    }
  }
  return mismatches;
}

/** The errors of two rows; those of rows with an infinity or a single NaN may be too large, or NaNs. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function errors(output: v128, expected: v128, inUlp: bool): v128 {
  const nans = v128.and(f64x2.ne(output, output), f64x2.ne(expected, expected));
  const equal = v128.or(f64x2.eq(output, expected), nans);
  let error = f64x2.abs(f64x2.sub(output, expected));
  if (inUlp) {
    const size = f64x2.pmin(f64x2.splat(GREATEST_POWER), f64x2.pmax(f64x2.splat(LEAST_NORMAL), f64x2.abs(expected)));
    const power = v128.and(size, i64x2.splat(EXPONENT));
    error = f64x2.mul(error, i64x2.sub(i64x2.splat(ULPS), power));
  }
  return v128.andnot(error, equal);
}

function compareRows(
  outputs: usize,
  expected: usize,
  isDouble: bool,
  from: usize,
  end: usize,
  inUlp: bool,
  limit: f64,
): u32 {
  let mismatches: u32 = 0;
  for (let row = from; row < end; row++) {
    const output = <f64>load<f32>(outputs + (row << 2));
    const value = isDouble ? load<f64>(expected + (row << 3)) : <f64>load<f32>(expected + (row << 2));
    const error = errorOf(output, value, inUlp);
    if (error > limit) mismatches++;
    if (error > worst) {
      worst = error;
      worstAt = <i32>row;
    }
  }
  return mismatches;
}

function errorOf(output: f64, expected: f64, inUlp: bool): f64 {
  if (output == expected) return 0;
  if (output != output || expected != expected) return output != output && expected != expected ? 0 : Infinity;
  if (abs(output) == Infinity && abs(expected) >= ROUNDS_TO_INFINITY && output > 0 == expected > 0) return 0;
  const error = abs(output - expected);
  if (!inUlp || error == Infinity) return error;
  const size = min(GREATEST_POWER, max(LEAST_NORMAL, abs(expected)));
  return error * reinterpret<f64>(ULPS - (reinterpret<i64>(size) & EXPONENT));
}
