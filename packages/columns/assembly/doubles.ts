// Kernels of f64 instructions, and conversions of values of 64 bits to others. A NaN is that of the first operand that is one, made
// quiet.
import { Step } from "../src/machine/layout.js";
import { AnyRounding, DoubleOperation } from "../src/machine/wide-kernels.js";
import { fused } from "./fused.js";
import { addressOf } from "./lanes.js";
import { doubleOfInteger, quiet } from "./rounding.js";

/** The result of an invalid operation, and the integer that results from a NaN. */
const INVALID: u64 = 0xfff8000000000000;
const NO_INTEGER: u64 = 0x8000000000000000;
const UPPER_HALF: u64 = 0xffffffff00000000;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function invalid(): v128 {
  return i64x2.splat(<i64>INVALID);
}

/** Gives NaNs of a result the encoding that PTX says. */
function withNaNs(a: v128, b: v128, result: v128): v128 {
  const quietBit = i64x2.splat(0x0008000000000000);
  const second = v128.bitselect(invalid(), v128.or(b, quietBit), f64x2.eq(b, b));
  const first = v128.bitselect(second, v128.or(a, quietBit), f64x2.eq(a, a));
  return v128.bitselect(result, first, f64x2.eq(result, result));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function two(operation: DoubleOperation, a: v128, b: v128): v128 {
  if (operation == DoubleOperation.add) return f64x2.add(a, b);
  if (operation == DoubleOperation.sub) return f64x2.sub(a, b);
  if (operation == DoubleOperation.mul) return f64x2.mul(a, b);
  if (operation == DoubleOperation.div) return f64x2.div(a, b);
  const both = operation == DoubleOperation.min ? f64x2.min(a, b) : f64x2.max(a, b);
  return v128.bitselect(v128.bitselect(both, a, f64x2.eq(b, b)), b, f64x2.eq(a, a));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: DoubleOperation, a: v128): v128 {
  if (operation == DoubleOperation.abs) return f64x2.abs(a);
  if (operation == DoubleOperation.neg) return f64x2.neg(a);
  if (operation == DoubleOperation.sqrt) return f64x2.sqrt(a);
  if (operation == DoubleOperation.rcp) return f64x2.div(f64x2.splat(1), a);
  if (operation == DoubleOperation.rsqrt) return f64x2.div(f64x2.splat(1), f64x2.sqrt(a));
  if (operation == DoubleOperation.nearest) return f64x2.nearest(a);
  if (operation == DoubleOperation.truncate) return f64x2.trunc(a);
  if (operation == DoubleOperation.floor) return f64x2.floor(a);
  if (operation == DoubleOperation.ceil) return f64x2.ceil(a);
  return a;
}

/** One value at a time. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function scalar(operation: DoubleOperation, rounding: AnyRounding, x: f64): u64 {
  // The comparisons choose 0 for a NaN.
  if (operation == DoubleOperation.saturate) return reinterpret<u64>(x > 0 ? min<f64>(x, 1) : 0);
  if (operation == DoubleOperation.toSigned) return x != x ? NO_INTEGER : <u64><i64>x;
  if (operation == DoubleOperation.toUnsigned) return x != x ? NO_INTEGER : <u64>x;
  if (operation == DoubleOperation.fromSigned) return reinterpret<u64>(doubleOfInteger(reinterpret<u64>(x), true, rounding));
  if (operation == DoubleOperation.fromUnsigned) return reinterpret<u64>(doubleOfInteger(reinterpret<u64>(x), false, rounding));
  if (x != x) return quiet(x);
  const upper = reinterpret<f64>(reinterpret<u64>(flushed(x)) & UPPER_HALF);
  const result = operation == DoubleOperation.rcpOfHalf ? 1 / upper : 1 / sqrt<f64>(upper);
  if (result != result) return INVALID;
  const bits = reinterpret<u64>(result);
  if (abs<f64>(result) == Infinity) return bits;
  return reinterpret<u64>(flushed(reinterpret<f64>((bits + 0x80000000) & UPPER_HALF)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function flushed(x: f64): f64 {
  return abs<f64>(x) < f64.MIN_NORMAL_VALUE ? copysign<f64>(0, x) : x;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapOne(operation: DoubleOperation, a: usize, target: usize, end: usize): void {
  do {
    const x = v128.load(a);
    const result = one(operation, x);
    v128.store(target, v128.any_true(f64x2.ne(result, result)) ? withNaNs(x, x, result) : result);
    a += 16;
    target += 16;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(operation: DoubleOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    const x = v128.load(a);
    const y = v128.load(b);
    const result = two(operation, x, y);
    v128.store(target, v128.any_true(f64x2.ne(result, result)) ? withNaNs(x, y, result) : result);
    a += 16;
    b += 16;
    target += 16;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapScalars(operation: DoubleOperation, rounding: AnyRounding, a: usize, target: usize, end: usize): void {
  do {
    store<u64>(target, scalar(operation, rounding, load<f64>(a)));
    a += 8;
    target += 8;
  } while (target < end);
}

export function doubles(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const rounding: AnyRounding = extra >> 8;
  const operation: DoubleOperation = extra & 255;
  const a = addressOf(load<u32>(step, Step.a), offset);
  const b = addressOf(load<u32>(step, Step.b), offset);
  const c = addressOf(load<u32>(step, Step.c), offset);
  const target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 3);
  switch (operation) {
    case DoubleOperation.add: mapTwo(DoubleOperation.add, a, b, target, end); break;
    case DoubleOperation.sub: mapTwo(DoubleOperation.sub, a, b, target, end); break;
    case DoubleOperation.mul: mapTwo(DoubleOperation.mul, a, b, target, end); break;
    case DoubleOperation.div: mapTwo(DoubleOperation.div, a, b, target, end); break;
    case DoubleOperation.min: mapTwo(DoubleOperation.min, a, b, target, end); break;
    case DoubleOperation.max: mapTwo(DoubleOperation.max, a, b, target, end); break;
    case DoubleOperation.abs: mapOne(DoubleOperation.abs, a, target, end); break;
    case DoubleOperation.neg: mapOne(DoubleOperation.neg, a, target, end); break;
    case DoubleOperation.sqrt: mapOne(DoubleOperation.sqrt, a, target, end); break;
    case DoubleOperation.rcp: mapOne(DoubleOperation.rcp, a, target, end); break;
    case DoubleOperation.rsqrt: mapOne(DoubleOperation.rsqrt, a, target, end); break;
    case DoubleOperation.nearest: mapOne(DoubleOperation.nearest, a, target, end); break;
    case DoubleOperation.truncate: mapOne(DoubleOperation.truncate, a, target, end); break;
    case DoubleOperation.floor: mapOne(DoubleOperation.floor, a, target, end); break;
    case DoubleOperation.ceil: mapOne(DoubleOperation.ceil, a, target, end); break;
    case DoubleOperation.copy: mapOne(DoubleOperation.copy, a, target, end); break;
    case DoubleOperation.rcpOfHalf: mapScalars(DoubleOperation.rcpOfHalf, rounding, a, target, end); break;
    case DoubleOperation.rsqrtOfHalf: mapScalars(DoubleOperation.rsqrtOfHalf, rounding, a, target, end); break;
    case DoubleOperation.saturate: mapScalars(DoubleOperation.saturate, rounding, a, target, end); break;
    case DoubleOperation.toSigned: mapScalars(DoubleOperation.toSigned, rounding, a, target, end); break;
    case DoubleOperation.toUnsigned: mapScalars(DoubleOperation.toUnsigned, rounding, a, target, end); break;
    case DoubleOperation.fromSigned: mapScalars(DoubleOperation.fromSigned, rounding, a, target, end); break;
    case DoubleOperation.fromUnsigned: mapScalars(DoubleOperation.fromUnsigned, rounding, a, target, end); break;
    default: mapFused(operation, rounding, a, b, c, target, end);
  }
}

/** Sums and products that are rounded in any direction, and those with a single rounding. */
function mapFused(operation: DoubleOperation, rounding: AnyRounding, a: usize, b: usize, c: usize, target: usize, end: usize): void {
  do {
    const x = load<f64>(a);
    const y = load<f64>(b);
    let z: f64 = 0;
    let result: f64;
    if (operation == DoubleOperation.fma) {
      z = load<f64>(c);
      result = fused(x, y, z, rounding);
    } else if (operation == DoubleOperation.fusedMul) {
      result = x * y;
      if (x != 0 && y != 0 && isFinite(x) && isFinite(y)) result = fused(x, y, copysign<f64>(0, result), rounding);
    } else {
      const term = operation == DoubleOperation.fusedSub ? -y : y;
      result = x == 0 || term == 0 || !isFinite(x) || !isFinite(term) ? plain(x, term, rounding) : fused(x, 1, term, rounding);
    }
    let bits = reinterpret<u64>(result);
    if (result != result) bits = x != x ? quiet(x) : y != y ? quiet(y) : z != z ? quiet(z) : INVALID;
    store<u64>(target, bits);
    a += 8;
    b += 8;
    c += 8;
    target += 8;
  } while (target < end);
}

/** A sum that is exact; a sum of zeros is -0 if it is rounded down, unless both are +0. */
function plain(x: f64, y: f64, rounding: AnyRounding): f64 {
  const isDown = rounding == AnyRounding.down && x == 0 && y == 0;
  return isDown ? reinterpret<f64>(reinterpret<u64>(x) | reinterpret<u64>(y)) : x + y;
}
