// Rounds f64, and what it lacks of an exact value, to narrower formats in any direction: roundTo in ../src/arithmetic/formats.ts,
// operation by operation.
import { AnyRounding } from "../src/machine/wide-kernels.js";


/** 2 to the power of an integer from -1022 to 1023. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>(<u64>(exponent + 1023) << 52);
}

/** A value of the format. `rest` has the sign of what x, the nearest f64, lacks. */
export function roundTo(fraction: i32, leastExponent: i32, greatest: f64, x: f64, rest: f64, rounding: AnyRounding): f64 {
  if (x == 0 || !(abs<f64>(x) < Infinity)) return x;
  if (rounding == AnyRounding.nearest) return roundToNearest(fraction, leastExponent, greatest, x, rest);
  const negative = x < 0;
  const size = abs<f64>(x);
  const beyond = negative ? -rest : rest;
  let exponent = max<i32>(<i32>(reinterpret<u64>(size) >> 52) - 1023, leastExponent);
  // Just below a power of two, neighbors are closer together than above it.
  if (beyond < 0 && exponent > leastExponent && size == powerOfTwo(exponent)) exponent--;
  const units = size * powerOfTwo(fraction - exponent);
  let lower = floor<f64>(units);
  const part = units - lower;
  let middle = part != 0.5 ? part - 0.5 : beyond;
  let exact = part == 0 && beyond == 0;
  if (part == 0 && beyond < 0) {
    lower -= 1;
    middle = 1;
    exact = false;
  }
  const up = !exact && isUp(rounding, middle, lower, negative);
  const result = (up ? lower + 1 : lower) * powerOfTwo(exponent - fraction);
  return copysign<f64>(result > greatest ? overflow(greatest, rounding, negative) : result, x);
}

/** The same for roundings to nearest. */
function roundToNearest(fraction: i32, leastExponent: i32, greatest: f64, x: f64, rest: f64): f64 {
  let bits = reinterpret<u64>(abs<f64>(x));
  // An odd last bit stands for the rest: no halfway value of the format has one.
  if (rest != 0 && (bits & 1) == 0) bits += rest > 0 == x > 0 ? <u64>1 : <u64>-1;
  const size = reinterpret<f64>(bits);
  if (size >= 2 * greatest) return copysign<f64>(Infinity, x);
  const exponent = max<i32>(<i32>(bits >> 52) - 1023, leastExponent);
  // Adding a number whose last bit is that of the result rounds to it.
  const large = 1.5 * powerOfTwo(exponent - fraction + 52);
  const rounded = size + large - large;
  return copysign<f64>(rounded > greatest ? Infinity : rounded, x);
}

function isUp(rounding: AnyRounding, middle: f64, lower: f64, negative: bool): bool {
  if (rounding == AnyRounding.nearest) return middle > 0 || (middle == 0 && (<i64>lower & 1) != 0);
  if (rounding == AnyRounding.nearestAway) return middle >= 0;
  if (rounding == AnyRounding.zero) return false;
  return negative == (rounding == AnyRounding.down);
}

/** The magnitude of a result that is too large for the format. */
function overflow(greatest: f64, rounding: AnyRounding, negative: bool): f64 {
  return rounding >= AnyRounding.nearest || isUp(rounding, 0, 0, negative) ? Infinity : greatest;
}

/** The f32 for an exact value. */
export function roundToFloat(x: f64, rest: f64, rounding: AnyRounding): f32 {
  if (rounding == AnyRounding.nearest && rest == 0) return <f32>x;
  return <f32>roundTo(23, -126, 3.4028234663852886e38, x, rest, rounding);
}

/** The f32 nearest to an integer in a direction. */
export function floatOfInteger(a: u64, signed: bool, rounding: AnyRounding): f32 {
  const nearest = signed ? <f64><i64>a : <f64>a;
  return roundToFloat(nearest, restOfInteger(a, signed, nearest), rounding);
}

/** What an f64 lacks of the integer that it was rounded from. */
export function restOfInteger(a: u64, signed: bool, nearest: f64): f64 {
  // Only 2^64 and 2^63 exceed the integers.
  if (nearest == 1.8446744073709552e19) return -(<f64>(<u64>0 - a));
  if (signed) return nearest == 9.223372036854775808e18 ? -(<f64>(<u64>9223372036854775808 - a)) : <f64>(<i64>a - <i64>nearest);
  return <f64>(<i64>(a - <u64>nearest));
}

/** The f64 nearest to an integer in a direction. */
export function doubleOfInteger(a: u64, signed: bool, rounding: AnyRounding): f64 {
  const nearest = signed ? <f64><i64>a : <f64>a;
  const rest = restOfInteger(a, signed, nearest);
  if (rounding == AnyRounding.nearest || rest == 0) return nearest;
  const inward = rest < 0 == nearest > 0;
  const moves = rounding == AnyRounding.zero ? inward : rounding == (rest < 0 ? AnyRounding.down : AnyRounding.up);
  return moves ? reinterpret<f64>(reinterpret<u64>(nearest) + <u64>(inward ? -1 : 1)) : nearest;
}

/** The encoding of an f64 NaN that results from the NaN x. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function quiet(x: f64): u64 {
  return reinterpret<u64>(x) | 0x0008000000000000;
}

