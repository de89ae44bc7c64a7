// Converts four f32 to two pairs of f64 and back, and computes sums that will be rounded to f32, like addForRounding in
// elementary.ts of @mm-ptx/types/core.

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function low(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function high(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<i64>(x, x, 1, 0));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function narrow(lowHalf: v128, highHalf: v128): v128 {
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(lowHalf), f32x4.demote_f64x2_zero(highHalf), 0, 2);
}

/** Where a sum has at most 25 bits, and so may be halfway between two f32. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function halfway(sum: v128): v128 {
  return i64x2.eq(i64x2.shl(sum, 36), i64x2.splat(0));
}

/** Moves rounded sums that may be halfway by their last bit, towards the exact sum. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function moveOff(sum: v128, product: v128, addend: v128): v128 {
  const part = f64x2.sub(sum, product);
  const error = f64x2.add(f64x2.sub(product, f64x2.sub(sum, part)), f64x2.sub(addend, part));
  const zero = f64x2.splat(0);
  const rounded = v128.or(f64x2.lt(error, zero), f64x2.gt(error, zero));
  const step = v128.or(i64x2.shr_s(v128.xor(sum, error), 63), i64x2.splat(1));
  return i64x2.add(sum, v128.and(step, v128.and(rounded, halfway(sum))));
}
