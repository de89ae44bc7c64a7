// Kernels of f16 and bf16 instructions, one value at a time: computed in f64, with the sign of what that lacks, and rounded once.
import { Step } from "../src/machine/layout.js";
import { AnyRounding, HalfFlag, HalfOperation } from "../src/machine/wide-kernels.js";
import { addressOf } from "./lanes.js";
import { restOfInteger, roundTo } from "./rounding.js";

const NAN: u32 = 0x7fff;
const FLOAT_NAN: u32 = 0x7fffffff;

/** The value of 16 bits. */
function valueOf(flags: u32, bits: u32): f64 {
  if ((flags & HalfFlag.brain) != 0) return <f64>reinterpret<f32>(bits << 16);
  const size = bits & 0x7fff;
  // With its exponent in the place of that of f32, an f16 is 2^112 times too small.
  const value = size >= 0x7c00 ? (size > 0x7c00 ? <f64>NaN : <f64>Infinity) : <f64>reinterpret<f32>(size << 13) * 5.192296858534828e33;
  return (bits & 0x8000) != 0 ? -value : value;
}

function operandOf(flags: u32, bits: u32): f64 {
  const value = valueOf(flags, bits);
  return (flags & HalfFlag.flush) != 0 ? flushed(flags, value) : value;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function flushed(flags: u32, value: f64): f64 {
  const least: f64 = (flags & HalfFlag.brain) != 0 ? 1.1754943508222875e-38 : 0.00006103515625;
  return abs<f64>(value) < least ? copysign<f64>(0, value) : value;
}

/** The bits of a value, rounded and with what modifiers do to it. */
function encoded(flags: u32, x: f64, rest: f64): u32 {
  const rounding: AnyRounding = (flags >> HalfFlag.roundingShift) & HalfFlag.roundingMask;
  const isFloat = (flags & (HalfFlag.brain | HalfFlag.tensor)) != 0;
  const fraction = (flags & HalfFlag.brain) != 0 ? 7 : 10;
  const greatest: f64 = !isFloat ? 65504 : (flags & HalfFlag.brain) != 0 ? 3.3895313892515355e38 : 3.4011621342146535e38;
  let value = roundTo(fraction, isFloat ? -126 : -14, greatest, x, rest, rounding);
  if ((flags & HalfFlag.flush) != 0) value = flushed(flags, value);
  if ((flags & HalfFlag.saturate) != 0) value = value > 0 ? min<f64>(value, 1) : 0;
  if ((flags & HalfFlag.rectify) != 0 && !(value > 0) && value == value) value = 0;
  if ((flags & HalfFlag.finite) != 0) value = min<f64>(greatest, max<f64>(-greatest, value));
  if (isFloat) {
    const bits = value == value ? reinterpret<u32>(<f32>value) : FLOAT_NAN;
    return (flags & HalfFlag.brain) != 0 ? bits >> 16 : bits;
  }
  if (value != value) return NAN;
  const sign = <u32>(reinterpret<u64>(value) >> 63) << 15;
  const size = abs<f64>(value);
  if (size == Infinity) return sign | 0x7c00;
  // 2^-112 times a value has the bits of an f16, with three more of the exponent.
  return sign | (reinterpret<u32>(<f32>(size * 1.925929944387236e-34)) >> 13);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function extremum(isMin: bool, flags: u32, x: f64, y: f64): f64 {
  if ((flags & HalfFlag.nan) == 0) {
    if (x != x) return y;
    if (y != y) return x;
  }
  return isMin ? min<f64>(x, y) : max<f64>(x, y);
}

function compute(operation: HalfOperation, flags: u32, a: u32, b: u32, c: u32): u32 {
  const isExtremum = operation == HalfOperation.min || operation == HalfOperation.max;
  const isSigned = (flags & HalfFlag.signed) != 0;
  const mask: u32 = isSigned ? 0x7fff : 0xffff;
  const x = operandOf(flags, a & mask);
  if (operation == HalfOperation.abs) return encoded(flags, abs<f64>(x), 0);
  if (operation == HalfOperation.neg) return encoded(flags, -x, 0);
  const y = operandOf(flags, b & mask);
  if (operation == HalfOperation.mul) return encoded(flags, x * y, 0);
  if (isExtremum) {
    const size = encoded(flags, extremum(operation == HalfOperation.min, flags, x, y), 0);
    return isSigned && size != NAN ? size | ((a ^ b) & 0x8000) : size;
  }
  if (operation == HalfOperation.fma) {
    const product = x * y;
    const z = operandOf(flags, c);
    const sum = product + z;
    const part = sum - product;
    const rest = product - (sum - part) + (z - part);
    return encoded(flags, sum, rest == rest ? rest : 0);
  }
  return encoded(flags, operation == HalfOperation.add ? x + y : x - y, 0);
}

export function halves(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const operation: HalfOperation = extra & 255;
  const flags = extra >> 8;
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  if (operation >= HalfOperation.expand) {
    const stride: usize = operation >= HalfOperation.fromDouble ? 8 : 4;
    do {
      store<u32>(target, convert(operation, flags, a));
      a += stride;
      target += 4;
    } while (target < end);
    return;
  }
  const arity = operation == HalfOperation.fma ? 3 : operation < HalfOperation.abs ? 2 : 1;
  const isPair = (flags & HalfFlag.pairs) != 0;
  const stride: usize = isPair ? 2 : 4;
  do {
    const y = arity > 1 ? <u32>load<u16>(b) : 0;
    const z = arity > 2 ? <u32>load<u16>(c) : 0;
    const result = compute(operation, flags, load<u16>(a), y, z);
    if (isPair) store<u16>(target, <u16>result);
    else store<u32>(target, result);
    a += stride;
    b += stride;
    c += stride;
    target += stride;
  } while (target < end);
}

function convert(operation: HalfOperation, flags: u32, a: usize): u32 {
  if (operation == HalfOperation.expand) {
    const value = operandOf(flags, load<u16>(a));
    return value == value ? reinterpret<u32>(<f32>value) : FLOAT_NAN;
  }
  if (operation == HalfOperation.fromFloat) return encoded(flags, <f64>load<f32>(a), 0);
  if (operation == HalfOperation.fromDouble) return encoded(flags, load<f64>(a), 0);
  const isSigned = operation == HalfOperation.fromSigned;
  const integer = load<u64>(a);
  const nearest = isSigned ? <f64><i64>integer : <f64>integer;
  return encoded(flags, nearest, restOfInteger(integer, isSigned, nearest));
}
