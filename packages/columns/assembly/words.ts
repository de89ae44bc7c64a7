// Kernels of integer instructions on words, four rows at a time.
import { WordOperation } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: WordOperation, a: v128, shift: i32): v128 {
  if (operation == WordOperation.not) return v128.not(a);
  if (operation == WordOperation.neg) return i32x4.neg(a);
  if (operation == WordOperation.abs) return i32x4.abs(a);
  if (operation == WordOperation.popc) return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(a)));
  if (operation == WordOperation.brev) return reversed(a);
  if (operation == WordOperation.cnot) return i32x4.shr_u(i32x4.eq(a, i32x4.splat(0)), 31);
  if (operation == WordOperation.extend) return i32x4.shr_s(i32x4.shl(a, shift), shift);
  return a;
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
function two(operation: WordOperation, a: v128, b: v128): v128 {
  if (operation == WordOperation.add) return i32x4.add(a, b);
  if (operation == WordOperation.sub) return i32x4.sub(a, b);
  if (operation == WordOperation.mul) return i32x4.mul(a, b);
  if (operation == WordOperation.and) return v128.and(a, b);
  if (operation == WordOperation.or) return v128.or(a, b);
  if (operation == WordOperation.xor) return v128.xor(a, b);
  if (operation == WordOperation.minSigned) return i32x4.min_s(a, b);
  if (operation == WordOperation.minUnsigned) return i32x4.min_u(a, b);
  if (operation == WordOperation.maxSigned) return i32x4.max_s(a, b);
  if (operation == WordOperation.maxUnsigned) return i32x4.max_u(a, b);
  if (operation == WordOperation.addSaturated) {
    const sum = i32x4.add(a, b);
    return saturated(sum, v128.and(v128.xor(a, sum), v128.xor(b, sum)));
  }
  if (operation == WordOperation.subSaturated) {
    const difference = i32x4.sub(a, b);
    return saturated(difference, v128.and(v128.xor(a, difference), v128.xor(a, b)));
  }
  if (operation == WordOperation.mulHighSigned) {
    return upperWords(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b));
  }
  if (operation == WordOperation.mulHighUnsigned) {
    return upperWords(i64x2.extmul_low_i32x4_u(a, b), i64x2.extmul_high_i32x4_u(a, b));
  }
  if (operation == WordOperation.divSigned) return quotient(true, a, b);
  if (operation == WordOperation.divUnsigned) return quotient(false, a, b);
  return remainder(operation == WordOperation.remSigned, a, b);
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

/** Quotients of words are farther from the next integer than f64 rounds. Division by zero yields all ones. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function quotient(signed: bool, a: v128, b: v128): v128 {
  const upperA = v128.shuffle<i64>(a, a, 1, 0);
  const upperB = v128.shuffle<i64>(b, b, 1, 0);
  if (!signed) {
    const low = f64x2.div(f64x2.convert_low_i32x4_u(a), f64x2.convert_low_i32x4_u(b));
    const high = f64x2.div(f64x2.convert_low_i32x4_u(upperA), f64x2.convert_low_i32x4_u(upperB));
    const whole = v128.shuffle<i64>(i32x4.trunc_sat_f64x2_u_zero(low), i32x4.trunc_sat_f64x2_u_zero(high), 0, 2);
    return v128.or(whole, i32x4.eq(b, i32x4.splat(0)));
  }
  const low = f64x2.div(f64x2.convert_low_i32x4_s(a), f64x2.convert_low_i32x4_s(b));
  const high = f64x2.div(f64x2.convert_low_i32x4_s(upperA), f64x2.convert_low_i32x4_s(upperB));
  const whole = v128.shuffle<i64>(i32x4.trunc_sat_f64x2_s_zero(low), i32x4.trunc_sat_f64x2_s_zero(high), 0, 2);
  // The least integer has no positive counterpart.
  const exact = v128.bitselect(i32x4.neg(a), whole, i32x4.eq(b, i32x4.splat(-1)));
  return v128.or(exact, i32x4.eq(b, i32x4.splat(0)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function remainder(signed: bool, a: v128, b: v128): v128 {
  const rest = i32x4.sub(a, i32x4.mul(quotient(signed, a, b), b));
  return v128.or(rest, i32x4.eq(b, i32x4.splat(0)));
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
function mapOne(operation: WordOperation, argument: i32, a: usize, target: usize, end: usize): void {
  do {
    const first = one(operation, v128.load(a), argument);
    const second = one(operation, v128.load(a, 16), argument);
    v128.store(target, first);
    v128.store(target, second, 16);
    a += 32;
    target += 32;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(operation: WordOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    const first = two(operation, v128.load(a), v128.load(b));
    const second = two(operation, v128.load(a, 16), v128.load(b, 16));
    v128.store(target, first);
    v128.store(target, second, 16);
    a += 32;
    b += 32;
    target += 32;
  } while (target < end);
}

/** For operations with long code. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwoSlowly(operation: WordOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    v128.store(target, two(operation, v128.load(a), v128.load(b)));
    a += 16;
    b += 16;
    target += 16;
  } while (target < end);
}

export function words(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const argument = <i32>(extra >> 8);
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (extra & 255) {
    case WordOperation.copy: mapOne(WordOperation.copy, argument, a, target, end); break;
    case WordOperation.not: mapOne(WordOperation.not, argument, a, target, end); break;
    case WordOperation.neg: mapOne(WordOperation.neg, argument, a, target, end); break;
    case WordOperation.abs: mapOne(WordOperation.abs, argument, a, target, end); break;
    case WordOperation.popc: mapOne(WordOperation.popc, argument, a, target, end); break;
    case WordOperation.brev: mapOne(WordOperation.brev, argument, a, target, end); break;
    case WordOperation.cnot: mapOne(WordOperation.cnot, argument, a, target, end); break;
    case WordOperation.extend: mapOne(WordOperation.extend, argument, a, target, end); break;
    case WordOperation.add: mapTwo(WordOperation.add, a, b, target, end); break;
    case WordOperation.sub: mapTwo(WordOperation.sub, a, b, target, end); break;
    case WordOperation.mul: mapTwo(WordOperation.mul, a, b, target, end); break;
    case WordOperation.and: mapTwo(WordOperation.and, a, b, target, end); break;
    case WordOperation.or: mapTwo(WordOperation.or, a, b, target, end); break;
    case WordOperation.xor: mapTwo(WordOperation.xor, a, b, target, end); break;
    case WordOperation.minSigned: mapTwo(WordOperation.minSigned, a, b, target, end); break;
    case WordOperation.minUnsigned: mapTwo(WordOperation.minUnsigned, a, b, target, end); break;
    case WordOperation.maxSigned: mapTwo(WordOperation.maxSigned, a, b, target, end); break;
    case WordOperation.maxUnsigned: mapTwo(WordOperation.maxUnsigned, a, b, target, end); break;
    case WordOperation.addSaturated: mapTwoSlowly(WordOperation.addSaturated, a, b, target, end); break;
    case WordOperation.subSaturated: mapTwoSlowly(WordOperation.subSaturated, a, b, target, end); break;
    case WordOperation.mulHighSigned: mapTwoSlowly(WordOperation.mulHighSigned, a, b, target, end); break;
    case WordOperation.mulHighUnsigned: mapTwoSlowly(WordOperation.mulHighUnsigned, a, b, target, end); break;
    case WordOperation.divSigned: mapTwoSlowly(WordOperation.divSigned, a, b, target, end); break;
    case WordOperation.divUnsigned: mapTwoSlowly(WordOperation.divUnsigned, a, b, target, end); break;
    case WordOperation.remSigned: mapTwoSlowly(WordOperation.remSigned, a, b, target, end); break;
    case WordOperation.remUnsigned: mapTwoSlowly(WordOperation.remUnsigned, a, b, target, end); break;
    case WordOperation.mad:
      do {
        v128.store(target, i32x4.add(i32x4.mul(v128.load(a), v128.load(b)), v128.load(c)));
        a += 16;
        b += 16;
        c += 16;
        target += 16;
      } while (target < end);
      break;
    case WordOperation.lop3: {
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
