// Kernels of integer instructions on words, one row at a time.
import { PermuteMode, ScalarOperation } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function compute(operation: ScalarOperation, argument: u32, a: u32, b: u32, c: u32, d: u32): u32 {
  if (operation == ScalarOperation.clz) return clz<u32>(a);
  if (operation == ScalarOperation.highestBitUnsigned) return 31 - clz<u32>(a);
  if (operation == ScalarOperation.highestBitSigned) return 31 - clz<u32>(a ^ <u32>(<i32>a >> 31));
  if (operation == ScalarOperation.shiftToHighestUnsigned) return shiftToHighest(a);
  if (operation == ScalarOperation.shiftToHighestSigned) return shiftToHighest(a ^ <u32>(<i32>a >> 31));
  if (operation == ScalarOperation.extractUnsigned) {
    const start = b & 255;
    return start > 31 ? 0 : (a >> start) & lowBits(c & 255);
  }
  if (operation == ScalarOperation.extractSigned) return extractSigned(a, b & 255, c & 255);
  if (operation == ScalarOperation.insert) {
    const start = c & 255;
    if (start > 31) return b;
    const field = lowBits(d & 255) << start;
    return (b & ~field) | ((a << start) & field);
  }
  if (operation == ScalarOperation.permute) return permute(argument, a, b, c);
  if (operation == ScalarOperation.funnelLeft) return <u32>((joined(a, b) << <u64>min<u32>(c, 32)) >> 32);
  if (operation == ScalarOperation.funnelRight) return <u32>(joined(a, b) >> <u64>min<u32>(c, 32));
  if (operation == ScalarOperation.mul24High) return <u32>((<i64><i32>a * <i64><i32>b) >> 16);
  if (operation == ScalarOperation.dotOfBytes) {
    return c + part(a, 0, 24, argument) * part(b, 0, 24, argument >> 1) + part(a, 8, 24, argument) * part(b, 8, 24, argument >> 1) +
      part(a, 16, 24, argument) * part(b, 16, 24, argument >> 1) + part(a, 24, 24, argument) * part(b, 24, 24, argument >> 1);
  }
  if (operation == ScalarOperation.dotOfHalves) {
    const bytes = (argument & 4) != 0 ? b >> 16 : b;
    return c + part(a, 0, 16, argument) * part(bytes, 0, 24, argument >> 1) + part(a, 16, 16, argument) * part(bytes, 8, 24, argument >> 1);
  }
  if (operation == ScalarOperation.findNthSet) return findNthSet(a, b, <i32>c);
  if (operation == ScalarOperation.mask) return a > 31 ? 0 : lowBits(b) << a;
  if (operation == ScalarOperation.extendUnsigned) return a & lowBits(b);
  // Of an integer with no bits, nothing is left.
  return b == 0 ? 0 : b > 31 ? a : <u32>(<i32>(a << (32 - b)) >> <i32>(32 - b));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function lowBits(count: u32): u32 {
  return count > 31 ? 0xffffffff : (1 << count) - 1;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function shiftToHighest(a: u32): u32 {
  return a == 0 ? 0xffffffff : clz<u32>(a);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function joined(low: u32, high: u32): u64 {
  return <u64>low | (<u64>high << 32);
}

/** Bits beyond the highest are equal to it. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function extractSigned(a: u32, start: u32, count: u32): u32 {
  if (count == 0) return 0;
  const field = <i32>a >> <i32>min<u32>(start, 31);
  return count > 31 ? <u32>field : <u32>((field << <i32>(32 - count)) >> <i32>(32 - count));
}

/** Bits from `start` on, as many as 32 less `shift`; signed if the last bit of `signed` is set. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function part(x: u32, start: u32, shift: u32, signed: u32): u32 {
  const upper = (x >> start) << shift;
  return (signed & 1) != 0 ? <u32>(<i32>upper >> <i32>shift) : upper >> shift;
}

/** Four bytes of {b, a}; the highest bit of a selector replicates the sign of its byte. */
function permute(mode: PermuteMode, a: u32, b: u32, c: u32): u32 {
  const all = joined(a, b);
  const low = c & 3;
  let result: u32 = 0;
  for (let byte: u32 = 0; byte < 4; byte++) {
    let select: u32 = (c >> (4 * byte)) & 15;
    if (mode == PermuteMode.forward) select = low + byte;
    if (mode == PermuteMode.backward) select = (low - byte) & 7;
    if (mode == PermuteMode.replicateByte) select = low;
    if (mode == PermuteMode.clampLeft) select = max<u32>(low, byte);
    if (mode == PermuteMode.clampRight) select = min<u32>(low, byte);
    if (mode == PermuteMode.replicateHalf) select = ((c & 1) << 1) | (byte & 1);
    const value = <i32><i8>(all >> <u64>(8 * (select & 7)));
    const chosen = (select & 8) != 0 ? value >> 31 : value;
    result |= (<u32>chosen & 255) << (8 * byte);
  }
  return result;
}

/** The n-th set bit, counted from a base in one direction. */
function findNthSet(mask: u32, base: u32, n: i32): u32 {
  if (base > 31) return 0xffffffff;
  if (n == 0) return ((mask >> base) & 1) != 0 ? base : 0xffffffff;
  const step = n > 0 ? 1 : -1;
  let left: u32 = n > 0 ? <u32>n : <u32>(-n);
  for (let bit = <i32>base; bit >= 0 && bit < 32; bit += step) {
    if (((mask >> bit) & 1) != 0 && --left == 0) return <u32>bit;
  }
  return 0xffffffff;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(operation: ScalarOperation, operands: i32, argument: u32, a: usize, b: usize, c: usize, d: usize, target: usize, end: usize): void {
  do {
    const x = load<u32>(a);
    const y = operands > 1 ? load<u32>(b) : 0;
    const z = operands > 2 ? load<u32>(c) : 0;
    const w = operands > 3 ? load<u32>(d) : 0;
    store<u32>(target, compute(operation, argument, x, y, z, w));
    a += 4;
    if (operands > 1) b += 4;
    if (operands > 2) c += 4;
    if (operands > 3) d += 4;
    target += 4;
  } while (target < end);
}

export function scalars(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const argument = extra >> 8;
  const a = addressOf(load<u32>(step, Step.a), offset);
  const b = addressOf(load<u32>(step, Step.b), offset);
  const c = addressOf(load<u32>(step, Step.c), offset);
  const d = addressOf(load<u32>(step, Step.d), offset);
  const target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (extra & 255) {
    case ScalarOperation.clz: map(ScalarOperation.clz, 1, argument, a, b, c, d, target, end); break;
    case ScalarOperation.highestBitUnsigned: map(ScalarOperation.highestBitUnsigned, 1, argument, a, b, c, d, target, end); break;
    case ScalarOperation.highestBitSigned: map(ScalarOperation.highestBitSigned, 1, argument, a, b, c, d, target, end); break;
    case ScalarOperation.shiftToHighestUnsigned: map(ScalarOperation.shiftToHighestUnsigned, 1, argument, a, b, c, d, target, end); break;
    case ScalarOperation.shiftToHighestSigned: map(ScalarOperation.shiftToHighestSigned, 1, argument, a, b, c, d, target, end); break;
    case ScalarOperation.extractUnsigned: map(ScalarOperation.extractUnsigned, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.extractSigned: map(ScalarOperation.extractSigned, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.insert: map(ScalarOperation.insert, 4, argument, a, b, c, d, target, end); break;
    case ScalarOperation.permute: map(ScalarOperation.permute, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.funnelLeft: map(ScalarOperation.funnelLeft, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.funnelRight: map(ScalarOperation.funnelRight, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.mul24High: map(ScalarOperation.mul24High, 2, argument, a, b, c, d, target, end); break;
    case ScalarOperation.dotOfBytes: map(ScalarOperation.dotOfBytes, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.dotOfHalves: map(ScalarOperation.dotOfHalves, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.findNthSet: map(ScalarOperation.findNthSet, 3, argument, a, b, c, d, target, end); break;
    case ScalarOperation.mask: map(ScalarOperation.mask, 2, argument, a, b, c, d, target, end); break;
    case ScalarOperation.extendUnsigned: map(ScalarOperation.extendUnsigned, 2, argument, a, b, c, d, target, end); break;
    case ScalarOperation.extendSigned: map(ScalarOperation.extendSigned, 2, argument, a, b, c, d, target, end); break;
  }
}
