// Kernels of integer instructions on words, four rows at a time.
import { WordOperation } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: WordOperation, a: v128): v128 {
  if (operation == WordOperation.not) return v128.not(a);
  if (operation == WordOperation.neg) return i32x4.neg(a);
  if (operation == WordOperation.abs) return i32x4.abs(a);
  return a;
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
  if (operation == WordOperation.divSigned) return quotient(true, a, b);
  if (operation == WordOperation.divUnsigned) return quotient(false, a, b);
  return remainder(operation == WordOperation.remSigned, a, b);
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

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapOne(operation: WordOperation, a: usize, target: usize, end: usize): void {
  do {
    const first = one(operation, v128.load(a));
    const second = one(operation, v128.load(a, 16));
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

// @ts-expect-error: decorators are AssemblyScript's
@inline
function shifted(operation: WordOperation, a: u32, amount: u32): u32 {
  if (operation == WordOperation.shiftLeft) return amount > 31 ? 0 : a << amount;
  if (operation == WordOperation.shiftRightUnsigned) return amount > 31 ? 0 : a >> amount;
  return <u32>(<i32>a >> <i32>min<u32>(amount, 31));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapShift(operation: WordOperation, a: usize, b: usize, target: usize, end: usize): void {
  do {
    store<u32>(target, shifted(operation, load<u32>(a), load<u32>(b)));
    store<u32>(target, shifted(operation, load<u32>(a, 4), load<u32>(b, 4)), 4);
    a += 8;
    b += 8;
    target += 8;
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
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (load<u32>(step, Step.extra)) {
    case WordOperation.copy: mapOne(WordOperation.copy, a, target, end); break;
    case WordOperation.not: mapOne(WordOperation.not, a, target, end); break;
    case WordOperation.neg: mapOne(WordOperation.neg, a, target, end); break;
    case WordOperation.abs: mapOne(WordOperation.abs, a, target, end); break;
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
    case WordOperation.divSigned: mapTwoSlowly(WordOperation.divSigned, a, b, target, end); break;
    case WordOperation.divUnsigned: mapTwoSlowly(WordOperation.divUnsigned, a, b, target, end); break;
    case WordOperation.remSigned: mapTwoSlowly(WordOperation.remSigned, a, b, target, end); break;
    case WordOperation.remUnsigned: mapTwoSlowly(WordOperation.remUnsigned, a, b, target, end); break;
    case WordOperation.shiftLeft: mapShift(WordOperation.shiftLeft, a, b, target, end); break;
    case WordOperation.shiftRightUnsigned: mapShift(WordOperation.shiftRightUnsigned, a, b, target, end); break;
    case WordOperation.shiftRightSigned: mapShift(WordOperation.shiftRightSigned, a, b, target, end); break;
    case WordOperation.mad:
      do {
        v128.store(target, i32x4.add(i32x4.mul(v128.load(a), v128.load(b)), v128.load(c)));
        a += 16;
        b += 16;
        c += 16;
        target += 16;
      } while (target < end);
  }
}
