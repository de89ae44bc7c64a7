// Kernels of instructions on integers of 64 bits.
import { Step } from "../src/machine/layout.js";
import { LongOperation } from "../src/machine/wide-kernels.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: LongOperation, a: u64): u64 {
  if (operation == LongOperation.not) return ~a;
  if (operation == LongOperation.neg) return 0 - a;
  if (operation == LongOperation.abs) return <i64>a < 0 ? 0 - a : a;
  if (operation == LongOperation.cnot) return <u64>(a == 0);
  if (operation == LongOperation.brev) return reversed(a);
  return a;
}

function reversed(a: u64): u64 {
  let x = bswap<u64>(a);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
  x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
  return ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function two(operation: LongOperation, a: u64, b: u64): u64 {
  if (operation == LongOperation.add) return a + b;
  if (operation == LongOperation.sub) return a - b;
  if (operation == LongOperation.mul) return a * b;
  if (operation == LongOperation.and) return a & b;
  if (operation == LongOperation.or) return a | b;
  if (operation == LongOperation.xor) return a ^ b;
  if (operation == LongOperation.minSigned) return <i64>a < <i64>b ? a : b;
  if (operation == LongOperation.minUnsigned) return a < b ? a : b;
  if (operation == LongOperation.maxSigned) return <i64>a > <i64>b ? a : b;
  if (operation == LongOperation.maxUnsigned) return a > b ? a : b;
  if (operation == LongOperation.mulHighUnsigned) return upperProduct(a, b);
  if (operation == LongOperation.mulHighSigned) {
    return upperProduct(a, b) - (<u64>(<i64>a >> 63) & b) - (<u64>(<i64>b >> 63) & a);
  }
  if (operation == LongOperation.divUnsigned) return b == 0 ? <u64>-1 : a / b;
  if (operation == LongOperation.remUnsigned) return b == 0 ? <u64>-1 : a % b;
  // The least integer has no positive counterpart.
  if (operation == LongOperation.divSigned) return b == 0 ? <u64>-1 : b == <u64>-1 ? 0 - a : <u64>(<i64>a / <i64>b);
  if (operation == LongOperation.remSigned) return b == 0 ? <u64>-1 : b == <u64>-1 ? 0 : <u64>(<i64>a % <i64>b);
  return (a & 0x8000000000000000) | (b & 0x7fffffffffffffff);
}

/** The upper 64 bits of a product. */
export function upperProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const first = aHigh * bLow + ((aLow * bLow) >> 32);
  const second = aLow * bHigh + (first & 0xffffffff);
  return aHigh * bHigh + (first >> 32) + (second >> 32);
}

/** The second operand is a word. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function shift(operation: LongOperation, a: u64, amount: u32): u64 {
  if (operation == LongOperation.shiftLeft) return amount > 63 ? 0 : a << <u64>amount;
  if (operation == LongOperation.shiftRightUnsigned) return amount > 63 ? 0 : a >> <u64>amount;
  return <u64>(<i64>a >> <i64>min<u32>(amount, 63));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function lowBits(count: u32): u64 {
  return count > 63 ? <u64>-1 : (<u64>1 << <u64>count) - 1;
}

/** Bits beyond the highest are zeros, or equal to it. */
function extract(signed: bool, a: u64, start: u32, count: u32): u64 {
  if (!signed) return start > 63 ? 0 : (a >> <u64>start) & lowBits(count);
  if (count == 0) return 0;
  const field = <i64>a >> <i64>min<u32>(start, 63);
  return count > 63 ? <u64>field : <u64>((field << <i64>(64 - count)) >> <i64>(64 - count));
}

function insert(a: u64, b: u64, start: u32, count: u32): u64 {
  if (start > 63) return b;
  const field = lowBits(count) << <u64>start;
  return (b & ~field) | ((a << <u64>start) & field);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapOne(operation: LongOperation, a: usize, target: usize, end: usize): void {
  do {
    store<u64>(target, one(operation, load<u64>(a)));
    a += 8;
    target += 8;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(operation: LongOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    store<u64>(target, two(operation, load<u64>(a), load<u64>(b)));
    a += 8;
    b += 8;
    target += 8;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapShift(operation: LongOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    store<u64>(target, shift(operation, load<u64>(a), load<u32>(b)));
    a += 8;
    b += 4;
    target += 8;
  } while (target < end);
}

export function longs(step: usize, offset: usize, rows: usize): void {
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 3);
  const operation: LongOperation = load<u32>(step, Step.extra) & 255;
  switch (operation) {
    case LongOperation.copy: mapOne(LongOperation.copy, a, target, end); break;
    case LongOperation.not: mapOne(LongOperation.not, a, target, end); break;
    case LongOperation.neg: mapOne(LongOperation.neg, a, target, end); break;
    case LongOperation.abs: mapOne(LongOperation.abs, a, target, end); break;
    case LongOperation.cnot: mapOne(LongOperation.cnot, a, target, end); break;
    case LongOperation.brev: mapOne(LongOperation.brev, a, target, end); break;
    case LongOperation.add: mapTwo(LongOperation.add, a, b, target, end); break;
    case LongOperation.sub: mapTwo(LongOperation.sub, a, b, target, end); break;
    case LongOperation.mul: mapTwo(LongOperation.mul, a, b, target, end); break;
    case LongOperation.and: mapTwo(LongOperation.and, a, b, target, end); break;
    case LongOperation.or: mapTwo(LongOperation.or, a, b, target, end); break;
    case LongOperation.xor: mapTwo(LongOperation.xor, a, b, target, end); break;
    case LongOperation.minSigned: mapTwo(LongOperation.minSigned, a, b, target, end); break;
    case LongOperation.minUnsigned: mapTwo(LongOperation.minUnsigned, a, b, target, end); break;
    case LongOperation.maxSigned: mapTwo(LongOperation.maxSigned, a, b, target, end); break;
    case LongOperation.maxUnsigned: mapTwo(LongOperation.maxUnsigned, a, b, target, end); break;
    case LongOperation.mulHighSigned: mapTwo(LongOperation.mulHighSigned, a, b, target, end); break;
    case LongOperation.mulHighUnsigned: mapTwo(LongOperation.mulHighUnsigned, a, b, target, end); break;
    case LongOperation.divSigned: mapTwo(LongOperation.divSigned, a, b, target, end); break;
    case LongOperation.divUnsigned: mapTwo(LongOperation.divUnsigned, a, b, target, end); break;
    case LongOperation.remSigned: mapTwo(LongOperation.remSigned, a, b, target, end); break;
    case LongOperation.remUnsigned: mapTwo(LongOperation.remUnsigned, a, b, target, end); break;
    case LongOperation.copysign: mapTwo(LongOperation.copysign, a, b, target, end); break;
    case LongOperation.shiftLeft: mapShift(LongOperation.shiftLeft, a, b, target, end); break;
    case LongOperation.shiftRightUnsigned: mapShift(LongOperation.shiftRightUnsigned, a, b, target, end); break;
    case LongOperation.shiftRightSigned: mapShift(LongOperation.shiftRightSigned, a, b, target, end); break;
    case LongOperation.mad:
      do {
        store<u64>(target, load<u64>(a) * load<u64>(b) + load<u64>(c));
        a += 8;
        b += 8;
        c += 8;
        target += 8;
      } while (target < end);
      break;
    case LongOperation.extractUnsigned:
    case LongOperation.extractSigned:
      do {
        const signed = operation == LongOperation.extractSigned;
        store<u64>(target, extract(signed, load<u64>(a), load<u8>(b), load<u8>(c)));
        a += 8;
        b += 4;
        c += 4;
        target += 8;
      } while (target < end);
      break;
    case LongOperation.insert: {
      let d = addressOf(load<u32>(step, Step.d), offset);
      do {
        store<u64>(target, insert(load<u64>(a), load<u64>(b), load<u8>(c), load<u8>(d)));
        a += 8;
        b += 8;
        c += 4;
        d += 4;
        target += 8;
      } while (target < end);
      break;
    }
    case LongOperation.select:
      do {
        store<u64>(target, load<u32>(c) != 0 ? load<u64>(a) : load<u64>(b));
        a += 8;
        b += 8;
        c += 4;
        target += 8;
      } while (target < end);
  }
}
