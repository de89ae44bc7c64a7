// The sine and cosine of four f32. The code does what elementary.ts of @mm-ptx/types/core does, operation by operation,
// two rows at a time, when all four arguments are small enough for its short reduction. Both polynomials are computed,
// and each row selects one.
import {
  COS_0,
  COS_2,
  COS_4,
  COS_6,
  COS_8,
  COS_10,
  cosine,
  HALF_PI_HIGH,
  HALF_PI_LOW,
  SHORT_REDUCTION,
  SIN_0,
  SIN_2,
  SIN_4,
  SIN_6,
  SIN_8,
  SIN_10,
  SIN_12,
  sine,
  TWO_OVER_PI,
} from "../../types/src/internal/elementary.js";
import { halfway, high, low, moveOff, narrow } from "./vectors.js";

const SIGN: i64 = <i64>0x8000000000000000;

/** The sine, or with `shift` 1 the cosine: `shift` is the number of quarter turns to add. */
export function sineOrCosine(shift: f64, x: v128): v128 {
  const short = f32x4.lt(f32x4.abs(x), f32x4.splat(<f32>SHORT_REDUCTION));
  if (i32x4.all_true(short)) return narrow(pair(shift, low(x)), pair(shift, high(x)));
  let result = f32x4.splat(scalar(shift, f32x4.extract_lane(x, 0)));
  result = f32x4.replace_lane(result, 1, scalar(shift, f32x4.extract_lane(x, 1)));
  result = f32x4.replace_lane(result, 2, scalar(shift, f32x4.extract_lane(x, 2)));
  return f32x4.replace_lane(result, 3, scalar(shift, f32x4.extract_lane(x, 3)));
}

function scalar(shift: f64, x: f32): f32 {
  return <f32>(shift == 0 ? sine(x) : cosine(x));
}

function pair(shift: f64, x: v128): v128 {
  const size = f64x2.abs(x);
  const nearest = f64x2.floor(f64x2.add(times(size, TWO_OVER_PI), f64x2.splat(0.5)));
  const r = f64x2.sub(f64x2.sub(size, times(nearest, HALF_PI_HIGH)), times(nearest, HALF_PI_LOW));
  const quarters = plus(nearest, shift);
  const turned = f64x2.sub(quarters, times(f64x2.floor(times(quarters, 0.25)), 4));

  const one = f64x2.splat(1);
  const z = f64x2.mul(r, r);
  const half = times(z, 0.5);
  const head = f64x2.sub(one, half);
  let p = plus(times(z, SIN_12), SIN_10);
  p = plus(f64x2.mul(p, z), SIN_8);
  p = plus(f64x2.mul(p, z), SIN_6);
  p = plus(f64x2.mul(p, z), SIN_4);
  p = plus(f64x2.mul(p, z), SIN_2);
  p = plus(f64x2.mul(p, z), SIN_0);
  let q = plus(times(z, COS_10), COS_8);
  q = plus(f64x2.mul(q, z), COS_6);
  q = plus(f64x2.mul(q, z), COS_4);
  q = plus(f64x2.mul(q, z), COS_2);
  q = plus(f64x2.mul(q, z), COS_0);
  const sineTail = f64x2.mul(r, f64x2.mul(z, p));
  const cosineTail = f64x2.add(f64x2.sub(f64x2.sub(one, head), half), f64x2.mul(f64x2.mul(z, z), q));

  const odd = v128.or(f64x2.eq(turned, one), f64x2.eq(turned, f64x2.splat(3)));
  const first = v128.bitselect(head, r, odd);
  const second = v128.bitselect(cosineTail, sineTail, odd);
  let sum = f64x2.add(first, second);
  if (v128.any_true(halfway(sum))) sum = moveOff(sum, first, second);
  const turnedSign = v128.and(f64x2.ge(turned, f64x2.splat(2)), i64x2.splat(SIGN));
  const result = v128.xor(sum, turnedSign);
  return shift == 0 ? v128.xor(result, v128.and(x, i64x2.splat(SIGN))) : result;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function times(x: v128, factor: f64): v128 {
  return f64x2.mul(x, f64x2.splat(factor));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function plus(x: v128, addend: f64): v128 {
  return f64x2.add(x, f64x2.splat(addend));
}
