// Kernels whose results are words, of values of 64 bits: comparisons (0 or 1, or the other way round where the argument is 1), counts of
// bits, and conversions to narrower types.
import { Step } from "../src/machine/layout.js";
import { LongTest } from "../src/machine/wide-kernels.js";
import { addressOf } from "./lanes.js";
import { floatOfInteger, roundToFloat } from "./rounding.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function compare(test: LongTest, address: usize, other: usize): bool {
  const a = load<u64>(address);
  const b = load<u64>(other);
  const x = load<f64>(address);
  const y = load<f64>(other);
  if (test == LongTest.equal) return a == b;
  if (test == LongTest.lessSigned) return <i64>a < <i64>b;
  if (test == LongTest.lessUnsigned) return a < b;
  if (test == LongTest.greaterSigned) return <i64>a > <i64>b;
  if (test == LongTest.greaterUnsigned) return a > b;
  if (test == LongTest.doubleEqual) return x == y;
  if (test == LongTest.doubleDifferent) return x < y || x > y;
  if (test == LongTest.doubleLess) return x < y;
  if (test == LongTest.doubleLessOrEqual) return x <= y;
  if (test == LongTest.doubleGreater) return x > y;
  if (test == LongTest.doubleGreaterOrEqual) return x >= y;
  return x == x && y == y;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function count(test: LongTest, argument: u32, address: usize): u32 {
  const a = load<u64>(address);
  if (test == LongTest.popc) return <u32>popcnt<u64>(a);
  if (test == LongTest.clz) return <u32>clz<u64>(a);
  if (test == LongTest.highestBitUnsigned) return 63 - <u32>clz<u64>(a);
  if (test == LongTest.highestBitSigned) return 63 - <u32>clz<u64>(a ^ <u64>(<i64>a >> 63));
  if (test == LongTest.shiftToHighestUnsigned) return shiftToHighest(a);
  if (test == LongTest.shiftToHighestSigned) return shiftToHighest(a ^ <u64>(<i64>a >> 63));
  if (test == LongTest.lowWord) return <u32>a;
  const x = load<f64>(address);
  if (test == LongTest.doubleToSigned) return x != x ? 0x80000000 : <u32><i32>x;
  if (test == LongTest.doubleToUnsigned) return x != x ? 0x80000000 : <u32>x;
  if (test == LongTest.doubleToFloat) return reinterpret<u32>(roundToFloat(x, 0, argument));
  return reinterpret<u32>(floatOfInteger(a, test == LongTest.signedToFloat, argument));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function shiftToHighest(a: u64): u32 {
  return a == 0 ? 0xffffffff : <u32>clz<u64>(a);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapComparison(test: LongTest, inverse: u32, a: usize, b: usize, target: usize, end: usize): void {
  do {
    store<u32>(target, <u32>compare(test, a, b) ^ inverse);
    a += 8;
    b += 8;
    target += 4;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapCount(test: LongTest, argument: u32, a: usize, target: usize, end: usize): void {
  do {
    store<u32>(target, count(test, argument, a));
    a += 8;
    target += 4;
  } while (target < end);
}

export function longTests(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const argument = extra >> 8;
  const a = addressOf(load<u32>(step, Step.a), offset);
  const b = addressOf(load<u32>(step, Step.b), offset);
  const target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (extra & 255) {
    case LongTest.equal: mapComparison(LongTest.equal, argument, a, b, target, end); break;
    case LongTest.lessSigned: mapComparison(LongTest.lessSigned, argument, a, b, target, end); break;
    case LongTest.lessUnsigned: mapComparison(LongTest.lessUnsigned, argument, a, b, target, end); break;
    case LongTest.greaterSigned: mapComparison(LongTest.greaterSigned, argument, a, b, target, end); break;
    case LongTest.greaterUnsigned: mapComparison(LongTest.greaterUnsigned, argument, a, b, target, end); break;
    case LongTest.doubleEqual: mapComparison(LongTest.doubleEqual, argument, a, b, target, end); break;
    case LongTest.doubleDifferent: mapComparison(LongTest.doubleDifferent, argument, a, b, target, end); break;
    case LongTest.doubleLess: mapComparison(LongTest.doubleLess, argument, a, b, target, end); break;
    case LongTest.doubleLessOrEqual: mapComparison(LongTest.doubleLessOrEqual, argument, a, b, target, end); break;
    case LongTest.doubleGreater: mapComparison(LongTest.doubleGreater, argument, a, b, target, end); break;
    case LongTest.doubleGreaterOrEqual: mapComparison(LongTest.doubleGreaterOrEqual, argument, a, b, target, end); break;
    case LongTest.ordered: mapComparison(LongTest.ordered, argument, a, b, target, end); break;
    case LongTest.popc: mapCount(LongTest.popc, argument, a, target, end); break;
    case LongTest.clz: mapCount(LongTest.clz, argument, a, target, end); break;
    case LongTest.highestBitUnsigned: mapCount(LongTest.highestBitUnsigned, argument, a, target, end); break;
    case LongTest.highestBitSigned: mapCount(LongTest.highestBitSigned, argument, a, target, end); break;
    case LongTest.shiftToHighestUnsigned: mapCount(LongTest.shiftToHighestUnsigned, argument, a, target, end); break;
    case LongTest.shiftToHighestSigned: mapCount(LongTest.shiftToHighestSigned, argument, a, target, end); break;
    case LongTest.lowWord: mapCount(LongTest.lowWord, argument, a, target, end); break;
    case LongTest.doubleToSigned: mapCount(LongTest.doubleToSigned, argument, a, target, end); break;
    case LongTest.doubleToUnsigned: mapCount(LongTest.doubleToUnsigned, argument, a, target, end); break;
    case LongTest.doubleToFloat: mapCount(LongTest.doubleToFloat, argument, a, target, end); break;
    case LongTest.signedToFloat: mapCount(LongTest.signedToFloat, argument, a, target, end); break;
    case LongTest.unsignedToFloat: mapCount(LongTest.unsignedToFloat, argument, a, target, end); break;
  }
}
