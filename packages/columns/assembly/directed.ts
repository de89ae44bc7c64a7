// f32 instructions that do not round to nearest, four rows at a time: results in f64 with the sign of what these lack, which are then
// rounded once.
import { DirectedOperation, Direction } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";
import { high, low, narrow } from "./vectors.js";

const SIGN: i32 = <i32>0x80000000;

/** What `sum` lacks of a + b. Where the sum is infinite, this is a NaN. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function lacking(a: v128, b: v128, sum: v128): v128 {
  const part = f64x2.sub(sum, a);
  return f64x2.add(f64x2.sub(a, f64x2.sub(sum, part)), f64x2.sub(b, part));
}

/** Where x and what it lacks are less than f32 in f64. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function isBelow(x: v128, rest: v128, rounded: v128): v128 {
  return v128.or(f64x2.lt(x, rounded), v128.and(f64x2.eq(x, rounded), f64x2.lt(rest, f64x2.splat(0))));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function isAbove(x: v128, rest: v128, rounded: v128): v128 {
  return v128.or(f64x2.gt(x, rounded), v128.and(f64x2.eq(x, rounded), f64x2.gt(rest, f64x2.splat(0))));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function joined(lowMask: v128, highMask: v128): v128 {
  return v128.shuffle<i32>(lowMask, highMask, 0, 2, 4, 6);
}

/** Rounds four results. */
function round(direction: Direction, lowResult: v128, lowRest: v128, highResult: v128, highRest: v128): v128 {
  const nearest = narrow(lowResult, highResult);
  const lowNearest = low(nearest);
  const highNearest = high(nearest);
  const negative = i32x4.shr_s(nearest, 31);
  let down = joined(isBelow(lowResult, lowRest, lowNearest), isBelow(highResult, highRest, highNearest));
  let up = joined(isAbove(lowResult, lowRest, lowNearest), isAbove(highResult, highRest, highNearest));
  if (direction == Direction.zero) {
    down = v128.andnot(down, negative);
    up = v128.and(up, negative);
  } else if (direction == Direction.down) {
    up = i32x4.splat(0);
  } else {
    down = i32x4.splat(0);
  }
  // The bits of positive numbers grow with them, those of negative numbers the other way round. A mask is -1.
  const step = i32x4.sub(down, up);
  return i32x4.add(nearest, v128.bitselect(i32x4.neg(step), step, negative));
}

export function directed(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const operation: DirectedOperation = extra & 255;
  const direction: Direction = extra >> 8;
  const least = f32x4.splat(load<f32>(step, Step.least));
  const isSum = operation <= DirectedOperation.sub || operation == DirectedOperation.fma;
  const hasTwo = isSum || operation <= DirectedOperation.div;
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  const none = f64x2.splat(0);
  while (target < end) {
    const x = v128.load(a);
    const y = hasTwo ? v128.load(b) : x;
    let lowResult = low(x);
    let highResult = high(x);
    let lowRest = none;
    let highRest = none;
    if (isSum) {
      let lowAddend = low(y);
      let highAddend = high(y);
      if (operation == DirectedOperation.fma) {
        const z = v128.load(c);
        lowResult = f64x2.mul(lowResult, lowAddend);
        highResult = f64x2.mul(highResult, highAddend);
        lowAddend = low(z);
        highAddend = high(z);
      } else if (operation == DirectedOperation.sub) {
        lowAddend = f64x2.neg(lowAddend);
        highAddend = f64x2.neg(highAddend);
      }
      const lowSum = f64x2.add(lowResult, lowAddend);
      const highSum = f64x2.add(highResult, highAddend);
      lowRest = lacking(lowResult, lowAddend, lowSum);
      highRest = lacking(highResult, highAddend, highSum);
      lowResult = cancelled(direction, lowResult, lowAddend, lowSum);
      highResult = cancelled(direction, highResult, highAddend, highSum);
    } else if (operation == DirectedOperation.mul) {
      lowResult = f64x2.mul(lowResult, low(y));
      highResult = f64x2.mul(highResult, high(y));
    } else if (operation == DirectedOperation.div) {
      lowResult = f64x2.div(lowResult, low(y));
      highResult = f64x2.div(highResult, high(y));
    } else if (operation == DirectedOperation.sqrt) {
      lowResult = f64x2.sqrt(lowResult);
      highResult = f64x2.sqrt(highResult);
    } else {
      const upper = v128.shuffle<i64>(x, x, 1, 0);
      const signed = operation == DirectedOperation.fromSigned;
      lowResult = signed ? f64x2.convert_low_i32x4_s(x) : f64x2.convert_low_i32x4_u(x);
      highResult = signed ? f64x2.convert_low_i32x4_s(upper) : f64x2.convert_low_i32x4_u(upper);
    }
    const result = round(direction, lowResult, lowRest, highResult, highRest);
    const small = f32x4.lt(f32x4.abs(result), least);
    v128.store(target, v128.andnot(result, v128.andnot(small, i32x4.splat(SIGN))));
    a += 16;
    b += 16;
    c += 16;
    target += 16;
  }
}

/** Rounded down, a sum of zero is -0 unless both terms are +0. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function cancelled(direction: Direction, a: v128, b: v128, sum: v128): v128 {
  if (direction != Direction.down) return sum;
  const zeros = i64x2.eq(v128.or(a, b), i64x2.splat(0));
  const sign = v128.andnot(f64x2.eq(sum, f64x2.splat(0)), zeros);
  return v128.or(sum, i64x2.shl(sign, 63));
}
