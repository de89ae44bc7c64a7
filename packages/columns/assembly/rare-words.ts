// Kernels of less common instructions on words and f32, four rows at a time.
import { Step } from "../src/machine/layout.js";
import { RareOperation } from "../src/machine/word-kernels.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: RareOperation, a: v128, shift: i32): v128 {
  if (operation == RareOperation.popc) return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(a)));
  if (operation == RareOperation.brev) return reversed(a);
  if (operation == RareOperation.cnot) return i32x4.shr_u(i32x4.eq(a, i32x4.splat(0)), 31);
  if (operation == RareOperation.nearest) return f32x4.nearest(a);
  if (operation == RareOperation.truncate) return f32x4.trunc(a);
  if (operation == RareOperation.floor) return f32x4.floor(a);
  if (operation == RareOperation.ceil) return f32x4.ceil(a);
  // Both choose their first operand, a number, where the second is a NaN.
  if (operation == RareOperation.saturate) return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), a));
  return i32x4.shr_s(i32x4.shl(a, shift), shift);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function reversed(a: v128): v128 {
  let x = v128.shuffle<i8>(a, a, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  x = swapped(x, 4, 0x0f0f0f0f);
  x = swapped(x, 2, 0x33333333);
  return swapped(x, 1, 0x55555555);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function swapped(x: v128, shift: i32, mask: i32): v128 {
  return v128.bitselect(i32x4.shr_u(x, shift), i32x4.shl(x, shift), i32x4.splat(mask));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function two(operation: RareOperation, a: v128, b: v128): v128 {
  if (operation == RareOperation.addSaturated) {
    const sum = i32x4.add(a, b);
    return saturated(sum, v128.and(v128.xor(a, sum), v128.xor(b, sum)));
  }
  if (operation == RareOperation.subSaturated) {
    const difference = i32x4.sub(a, b);
    return saturated(difference, v128.and(v128.xor(a, difference), v128.xor(a, b)));
  }
  if (operation == RareOperation.mulHighSigned) {
    return upperWords(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b));
  }
  return upperWords(i64x2.extmul_low_i32x4_u(a, b), i64x2.extmul_high_i32x4_u(a, b));
}

/** `wrapped`, or where the sign of `overflow` is set, the limit on the other side. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function saturated(wrapped: v128, overflow: v128): v128 {
  const limit = v128.xor(i32x4.shr_s(wrapped, 31), i32x4.splat(<i32>0x80000000));
  return v128.bitselect(limit, wrapped, i32x4.shr_s(overflow, 31));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function upperWords(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(low, high, 1, 3, 5, 7);
}

/** Each bit of the result is the bit of `table` that the bits of the operands choose. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function chooseBits(a: v128, b: v128, c: v128, table: v128): v128 {
  const none = byLast(table, 0, c);
  const second = byLast(table, 2, c);
  const first = byLast(table, 4, c);
  const both = byLast(table, 6, c);
  return v128.bitselect(v128.bitselect(both, first, b), v128.bitselect(second, none, b), a);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function byLast(table: v128, bit: i32, c: v128): v128 {
  const set = i32x4.shr_s(i32x4.shl(table, 30 - bit), 31);
  const clear = i32x4.shr_s(i32x4.shl(table, 31 - bit), 31);
  return v128.bitselect(set, clear, c);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapOne(operation: RareOperation, argument: i32, a: usize, target: usize, end: usize): void {
  do {
    v128.store(target, one(operation, v128.load(a), argument));
    a += 16;
    target += 16;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(operation: RareOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    v128.store(target, two(operation, v128.load(a), v128.load(b)));
    a += 16;
    b += 16;
    target += 16;
  } while (target < end);
}

export function rareWords(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const argument = <i32>(extra >> 8);
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (extra & 255) {
    case RareOperation.popc: mapOne(RareOperation.popc, argument, a, target, end); break;
    case RareOperation.brev: mapOne(RareOperation.brev, argument, a, target, end); break;
    case RareOperation.cnot: mapOne(RareOperation.cnot, argument, a, target, end); break;
    case RareOperation.extend: mapOne(RareOperation.extend, argument, a, target, end); break;
    case RareOperation.nearest: mapOne(RareOperation.nearest, argument, a, target, end); break;
    case RareOperation.truncate: mapOne(RareOperation.truncate, argument, a, target, end); break;
    case RareOperation.floor: mapOne(RareOperation.floor, argument, a, target, end); break;
    case RareOperation.ceil: mapOne(RareOperation.ceil, argument, a, target, end); break;
    case RareOperation.saturate: mapOne(RareOperation.saturate, argument, a, target, end); break;
    case RareOperation.addSaturated: mapTwo(RareOperation.addSaturated, a, b, target, end); break;
    case RareOperation.subSaturated: mapTwo(RareOperation.subSaturated, a, b, target, end); break;
    case RareOperation.mulHighSigned: mapTwo(RareOperation.mulHighSigned, a, b, target, end); break;
    case RareOperation.mulHighUnsigned: mapTwo(RareOperation.mulHighUnsigned, a, b, target, end); break;
    case RareOperation.lop3: {
      let c = addressOf(load<u32>(step, Step.c), offset);
      let d = addressOf(load<u32>(step, Step.d), offset);
      do {
        v128.store(target, chooseBits(v128.load(a), v128.load(b), v128.load(c), v128.load(d)));
        a += 16;
        b += 16;
        c += 16;
        d += 16;
        target += 16;
      } while (target < end);
    }
  }
}
