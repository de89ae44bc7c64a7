// Kernels of f32 instructions: one operation on a block of rows, four rows at a time, or two in f64. NaNs have whatever encoding
// the machine gives them until `canonicalize`.
import { exp2, log2, tanh } from "../../types/src/internal/elementary.js";
import { FloatKernel } from "../src/machine/kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";
import { sineOrCosine } from "./trigonometric.js";
import { halfway, high, low, moveOff, narrow } from "./vectors.js";

const ALL_BUT_SIGN: i32 = 0x7fffffff;
const SIGN: i32 = <i32>0x80000000;
const CANONICAL_NAN: i32 = 0x7fffffff;
/** 2^126: beyond it, the reciprocal is subnormal. */
const DIVISOR_LIMIT: f32 = 8.507059173023462e37;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function flush(x: v128, least: v128): v128 {
  const small = f32x4.lt(f32x4.abs(x), least);
  return v128.andnot(x, v128.and(small, i32x4.splat(ALL_BUT_SIGN)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function one(operation: FloatKernel, a: v128, least: v128): v128 {
  if (operation == FloatKernel.abs) return v128.and(a, i32x4.splat(ALL_BUT_SIGN));
  if (operation == FloatKernel.neg) return v128.xor(a, i32x4.splat(SIGN));
  if (operation == FloatKernel.flush) return flush(a, least);
  if (operation == FloatKernel.canonicalize) return v128.bitselect(a, i32x4.splat(CANONICAL_NAN), f32x4.eq(a, a));
  if (operation == FloatKernel.rcp) return flush(f32x4.div(f32x4.splat(1), a), least);
  if (operation == FloatKernel.sqrt) return flush(f32x4.sqrt(a), least);
  if (operation == FloatKernel.rsqrt) return flush(narrow(reciprocalRoot(low(a)), reciprocalRoot(high(a))), least);
  if (operation == FloatKernel.sin) return flush(sineOrCosine(0, a), least);
  return flush(sineOrCosine(1, a), least);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function two(operation: FloatKernel, a: v128, b: v128, least: v128): v128 {
  if (operation == FloatKernel.copysign) return v128.bitselect(a, b, i32x4.splat(SIGN));
  if (operation == FloatKernel.min) return numberOf(a, b, f32x4.min(a, b));
  if (operation == FloatKernel.max) return numberOf(a, b, f32x4.max(a, b));
  if (operation == FloatKernel.minNaN) return f32x4.min(a, b);
  if (operation == FloatKernel.maxNaN) return f32x4.max(a, b);
  if (operation == FloatKernel.add) return flush(f32x4.add(a, b), least);
  if (operation == FloatKernel.sub) return flush(f32x4.sub(a, b), least);
  if (operation == FloatKernel.mul) return flush(f32x4.mul(a, b), least);
  if (operation == FloatKernel.div) return flush(f32x4.div(a, b), least);
  return flush(divide(a, b), least);
}

/** `both` is a NaN where either argument is one; there the result is the argument that is a number. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function numberOf(a: v128, b: v128, both: v128): v128 {
  return v128.bitselect(v128.bitselect(both, a, f32x4.eq(b, b)), b, f32x4.eq(a, a));
}

/** `div.approx`: for divisors above 2^126, the reciprocal is zero. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function divide(a: v128, b: v128): v128 {
  const zero = f32x4.mul(a, v128.and(b, i32x4.splat(SIGN)));
  return v128.bitselect(zero, f32x4.div(a, b), f32x4.gt(f32x4.abs(b), f32x4.splat(DIVISOR_LIMIT)));
}

/** a * b + c, rounded once: see multiplyAdd in elementary.ts of @mm-ptx/types. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  const lowProduct = f64x2.mul(low(a), low(b));
  const highProduct = f64x2.mul(high(a), high(b));
  const lowAddend = low(c);
  const highAddend = high(c);
  let lowSum = f64x2.add(lowProduct, lowAddend);
  let highSum = f64x2.add(highProduct, highAddend);
  if (v128.any_true(v128.or(halfway(lowSum), halfway(highSum)))) {
    lowSum = moveOff(lowSum, lowProduct, lowAddend);
    highSum = moveOff(highSum, highProduct, highAddend);
  }
  return narrow(lowSum, highSum);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function reciprocalRoot(x: v128): v128 {
  return f64x2.div(f64x2.splat(1), f64x2.sqrt(x));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapOne(operation: FloatKernel, step: usize, offset: usize, rows: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const first = one(operation, v128.load(a), least);
    const second = one(operation, v128.load(a, 16), least);
    v128.store(target, first);
    v128.store(target, second, 16);
    a += 32;
    target += 32;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(operation: FloatKernel, step: usize, offset: usize, rows: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const first = two(operation, v128.load(a), v128.load(b), least);
    const second = two(operation, v128.load(a, 16), v128.load(b, 16), least);
    const third = two(operation, v128.load(a, 32), v128.load(b, 32), least);
    const fourth = two(operation, v128.load(a, 48), v128.load(b, 48), least);
    v128.store(target, first);
    v128.store(target, second, 16);
    v128.store(target, third, 32);
    v128.store(target, fourth, 48);
    a += 64;
    b += 64;
    target += 64;
  } while (target < end);
}

/** With a constant operand, whose address is that of its bits; `isFirst` says which. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapConstant(operation: FloatKernel, isFirst: bool, step: usize, offset: usize, rows: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  const constant = v128.load_splat<u32>(isFirst ? load<u32>(step, Step.a) : load<u32>(step, Step.b));
  let value = addressOf(isFirst ? load<u32>(step, Step.b) : load<u32>(step, Step.a), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const a = v128.load(value);
    const b = v128.load(value, 16);
    const c = v128.load(value, 32);
    const d = v128.load(value, 48);
    v128.store(target, isFirst ? two(operation, constant, a, least) : two(operation, a, constant, least));
    v128.store(target, isFirst ? two(operation, constant, b, least) : two(operation, b, constant, least), 16);
    v128.store(target, isFirst ? two(operation, constant, c, least) : two(operation, c, constant, least), 32);
    v128.store(target, isFirst ? two(operation, constant, d, least) : two(operation, d, constant, least), 48);
    value += 64;
    target += 64;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapThree(step: usize, offset: usize, rows: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let c = addressOf(load<u32>(step, Step.c), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    v128.store(target, flush(multiplyAdd(v128.load(a), v128.load(b), v128.load(c)), least));
    a += 16;
    b += 16;
    c += 16;
    target += 16;
  } while (target < end);
}

/** One row at a time, for functions with branches. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapScalars(operation: FloatKernel, step: usize, offset: usize, rows: usize): void {
  const least = load<f32>(step, Step.least);
  let a = addressOf(load<u32>(step, Step.a), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const x = <f64>load<f32>(a);
    let result: f32;
    if (operation == FloatKernel.lg2) result = <f32>log2(x);
    else if (operation == FloatKernel.ex2) result = <f32>exp2(x);
    else result = <f32>tanh(x);
    store<f32>(target, abs<f32>(result) < least ? copysign<f32>(0, result) : result);
    target += 4;
    a += 4;
  } while (target < end);
}

export function add(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.add, step, offset, rows); }
export function sub(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.sub, step, offset, rows); }
export function mul(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.mul, step, offset, rows); }
export function fma(step: usize, offset: usize, rows: usize): void { mapThree(step, offset, rows); }
export function div(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.div, step, offset, rows); }
export function divApprox(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.divApprox, step, offset, rows); }
export function minimum(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.min, step, offset, rows); }
export function maximum(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.max, step, offset, rows); }
export function minimumOrNaN(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.minNaN, step, offset, rows); }
export function maximumOrNaN(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.maxNaN, step, offset, rows); }
export function copySign(step: usize, offset: usize, rows: usize): void { mapTwo(FloatKernel.copysign, step, offset, rows); }
export function absolute(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.abs, step, offset, rows); }
export function negate(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.neg, step, offset, rows); }
export function reciprocal(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.rcp, step, offset, rows); }
export function root(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.sqrt, step, offset, rows); }
export function inverseRoot(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.rsqrt, step, offset, rows); }
export function sinus(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.sin, step, offset, rows); }
export function cosinus(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.cos, step, offset, rows); }
export function flushSubnormals(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.flush, step, offset, rows); }
export function canonicalize(step: usize, offset: usize, rows: usize): void { mapOne(FloatKernel.canonicalize, step, offset, rows); }
export function logarithm(step: usize, offset: usize, rows: usize): void { mapScalars(FloatKernel.lg2, step, offset, rows); }
export function exponential(step: usize, offset: usize, rows: usize): void { mapScalars(FloatKernel.ex2, step, offset, rows); }
export function hyperbolicTangent(step: usize, offset: usize, rows: usize): void { mapScalars(FloatKernel.tanh, step, offset, rows); }
export function addConstant(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.add, false, step, offset, rows);
}
export function constantAdd(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.add, true, step, offset, rows);
}
export function subConstant(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.sub, false, step, offset, rows);
}
export function constantSub(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.sub, true, step, offset, rows);
}
export function mulConstant(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.mul, false, step, offset, rows);
}
export function constantMul(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.mul, true, step, offset, rows);
}
export function divApproxConstant(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.divApprox, false, step, offset, rows);
}
export function constantDivApprox(step: usize, offset: usize, rows: usize): void {
  mapConstant(FloatKernel.divApprox, true, step, offset, rows);
}
