// a * b + c in f64 with a single rounding, in any direction: on 128-bit integers, or with the arithmetic of multiplyAdd64 in
// ../src/arithmetic/double.ts where nothing overflows.
import { AnyRounding } from "../src/machine/wide-kernels.js";
import { upperProduct } from "./longs.js";
import { powerOfTwo } from "./rounding.js";

const SIGN: u64 = 0x8000000000000000;
const FRACTION: u64 = 0xfffffffffffff;
/** Between these, sums and products of numbers, and of their low halves, neither overflow nor lose bits. */
const GREATEST: f64 = 9.7453140114e288;
const LEAST: f64 = 1.4996968138956309e-241;

export function fused(a: f64, b: f64, c: f64, rounding: AnyRounding): f64 {
  const product = a * b;
  if (rounding == AnyRounding.nearest && isModerate(a) && isModerate(b) && isModerate(c) && isModerate(product)) {
    const low = productError(a, b, product);
    const tail = c + low;
    const head = product + tail;
    return head + addToOdd(sumError(c, low, tail), sumError(product, tail, head));
  }
  if (!isFinite(a) || !isFinite(b)) return product + c;
  // The product may be too large for an f64, but it is finite.
  if (!isFinite(c)) return c;
  if (a == 0 || b == 0) {
    if (c != 0) return c;
    return zero(reinterpret<u64>(product), reinterpret<u64>(c), rounding);
  }
  return fusedExactly(a, b, c, rounding);
}

/** The sum of two zeros. */
function zero(first: u64, second: u64, rounding: AnyRounding): f64 {
  return reinterpret<f64>(rounding == AnyRounding.down ? first | second : first & second);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function isModerate(x: f64): bool {
  return abs<f64>(x) < GREATEST && abs<f64>(x) > LEAST;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function sumError(a: f64, b: f64, sum: f64): f64 {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function upperHalf(x: f64): f64 {
  const split = x * 134217729;
  return split - (split - x);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function productError(a: f64, b: f64, product: f64): f64 {
  const aHigh = upperHalf(a);
  const bHigh = upperHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** a + b, rounded to the neighbor with an odd last bit if it is inexact. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function addToOdd(a: f64, b: f64): f64 {
  const sum = a + b;
  const error = sumError(a, b, sum);
  const bits = reinterpret<u64>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return reinterpret<f64>(error > 0 == sum > 0 ? bits + 1 : bits - 1);
}

/** The significand of a number that is not zero, as an integer. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function significand(bits: u64): u64 {
  return (bits & FRACTION) | ((bits & 0x7ff0000000000000) != 0 ? 0x10000000000000 : 0);
}

/** The exponent of its unit. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function unitOf(bits: u64): i32 {
  return max<i32>(<i32>((bits >> 52) & 0x7ff), 1) - 1075;
}

/** The product is not zero. Both terms become 128-bit integers whose highest bit is bit 125. */
function fusedExactly(a: f64, b: f64, c: f64, rounding: AnyRounding): f64 {
  const aBits = reinterpret<u64>(a);
  const bBits = reinterpret<u64>(b);
  const cBits = reinterpret<u64>(c);
  const x = significand(aBits);
  const y = significand(bBits);
  let high = upperProduct(x, y);
  let low = x * y;
  let unit = unitOf(aBits) + unitOf(bBits);
  let negative = ((aBits ^ bBits) & SIGN) != 0;
  let shift = leadingZeros(high, low) - 2;
  high = shiftedHigh(high, low, shift);
  low = shiftedLow(low, shift);
  unit -= shift;
  if (c != 0) {
    let otherLow = significand(cBits);
    shift = leadingZeros(0, otherLow) - 2;
    let otherHigh = shiftedHigh(0, otherLow, shift);
    otherLow = shiftedLow(otherLow, shift);
    let otherUnit = unitOf(cBits) - shift;
    let otherNegative = (cBits & SIGN) != 0;
    if (otherUnit > unit || (otherUnit == unit && (otherHigh > high || (otherHigh == high && otherLow > low)))) {
      // The first term is the larger one.
      const firstHigh = high;
      const firstLow = low;
      const firstUnit = unit;
      const firstNegative = negative;
      high = otherHigh;
      low = otherLow;
      unit = otherUnit;
      negative = otherNegative;
      otherHigh = firstHigh;
      otherLow = firstLow;
      otherUnit = firstUnit;
      otherNegative = firstNegative;
    }
    const distance = unit - otherUnit;
    // What is shifted out leaves a bit.
    const lost = distance > 0 && lostBits(otherHigh, otherLow, distance);
    const shiftedOtherLow = downLow(otherHigh, otherLow, distance) | <u64>lost;
    otherHigh = distance > 63 ? 0 : otherHigh >> <u64>distance;
    otherLow = shiftedOtherLow;
    if (negative == otherNegative) {
      const sum = low + otherLow;
      high += otherHigh + <u64>(sum < low);
      low = sum;
    } else {
      high -= otherHigh + <u64>(low < otherLow);
      low -= otherLow;
    }
    if ((high | low) == 0) return rounding == AnyRounding.down ? -0.0 : 0;
  }
  return rounded(negative, high, low, unit, rounding);
}

function rounded(negative: bool, high: u64, low: u64, exponent: i32, rounding: AnyRounding): f64 {
  const bits = 128 - leadingZeros(high, low);
  const unit = max<i32>(exponent + bits - 53, -1074);
  const drop = unit - exponent;
  let kept: u64;
  if (drop > 0) {
    kept = drop > 127 ? 0 : drop > 63 ? high >> <u64>(drop - 64) : downLow(high, low, drop);
    const half = drop > 128 ? false : bitAt(high, low, drop - 1);
    const rest = drop > 128 || lostBits(high, low, drop - 1);
    const inexact = half || rest;
    const up = rounding == AnyRounding.nearest
      ? half && (rest || (kept & 1) != 0)
      : inexact && rounding == (negative ? AnyRounding.down : AnyRounding.up);
    kept += <u64>up;
  } else {
    kept = low << <u64>-drop;
  }
  const sign: f64 = negative ? -1 : 1;
  const result = scaled(<f64>kept, unit);
  if (result == Infinity && rounding != AnyRounding.nearest && rounding != (negative ? AnyRounding.down : AnyRounding.up)) {
    return sign * f64.MAX_VALUE;
  }
  return sign * result;
}

/** An integer of at most 53 bits times a power of two; the result is exact or infinite. */
function scaled(x: f64, unit: i32): f64 {
  if (unit < -1022) return x * reinterpret<f64>(<u64>1 << <u64>(unit + 1074));
  return unit > 1023 ? Infinity : x * powerOfTwo(unit);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function leadingZeros(high: u64, low: u64): i32 {
  return <i32>(high != 0 ? clz<u64>(high) : 64 + clz<u64>(low));
}

/** The halves of an integer of 128 bits, shifted to the left. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function shiftedHigh(high: u64, low: u64, shift: i32): u64 {
  if (shift > 63) return low << <u64>(shift - 64);
  return shift == 0 ? high : (high << <u64>shift) | (low >> <u64>(64 - shift));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function shiftedLow(low: u64, shift: i32): u64 {
  return shift > 63 ? 0 : low << <u64>shift;
}

/** The lower half of an integer of 128 bits, shifted to the right. */
function downLow(high: u64, low: u64, shift: i32): u64 {
  if (shift > 127) return 0;
  if (shift > 63) return high >> <u64>(shift - 64);
  return shift == 0 ? low : (low >> <u64>shift) | (high << <u64>(64 - shift));
}

/** Whether any of the lowest bits is set. */
function lostBits(high: u64, low: u64, count: i32): bool {
  if (count <= 0) return false;
  if (count > 127) return (high | low) != 0;
  if (count > 63) return low != 0 || (high & ((<u64>1 << <u64>(count - 64)) - 1)) != 0;
  return (low & ((<u64>1 << <u64>count) - 1)) != 0;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function bitAt(high: u64, low: u64, bit: i32): bool {
  return ((bit > 63 ? high >> <u64>(bit - 64) : low >> <u64>bit) & 1) != 0;
}
