// The interpreter's kernels for WebAssembly (AssemblyScript): one operation after the other on a block of rows, four
// rows at a time, or two in f64. src/interpreter/javascript.ts does the same; tests compare them bit for bit. NaNs have
// whatever encoding the machine gives them until `canonicalize`.
import { exp2, log2, tanh } from "../../types/src/internal/elementary.js";
import { Kernel, Step } from "../src/interpreter/kernel.js";
import { sineOrCosine } from "./trigonometric.js";
import { high, low, moveOff, halfway, narrow } from "./vectors.js";

const ALL_BUT_SIGN: i32 = 0x7fffffff;
const SIGN: i32 = <i32>0x80000000;
const CANONICAL_NAN: i32 = 0x7fffffff;
/** 2^126: beyond it, the reciprocal is subnormal. */
const DIVISOR_LIMIT: f32 = 8.507059173023462e37;

/** The first free address; below it are the tables of elementary.ts. */
export const firstFree: usize = __heap_base;

/** Runs the steps from address `start` to `stop` on columns of `bytes` bytes, which is a nonzero multiple of 16. */
export function run(start: usize, stop: usize, bytes: usize): void {
  for (let step = start; step < stop; step += Step.bytes) {
    switch (load<i32>(step)) {
      case Kernel.add: vectors(Kernel.add, step, bytes); break;
      case Kernel.sub: vectors(Kernel.sub, step, bytes); break;
      case Kernel.mul: vectors(Kernel.mul, step, bytes); break;
      case Kernel.fma: vectors(Kernel.fma, step, bytes); break;
      case Kernel.div: vectors(Kernel.div, step, bytes); break;
      case Kernel.abs: vectors(Kernel.abs, step, bytes); break;
      case Kernel.neg: vectors(Kernel.neg, step, bytes); break;
      case Kernel.min: vectors(Kernel.min, step, bytes); break;
      case Kernel.max: vectors(Kernel.max, step, bytes); break;
      case Kernel.copysign: vectors(Kernel.copysign, step, bytes); break;
      case Kernel.rcp: vectors(Kernel.rcp, step, bytes); break;
      case Kernel.sqrt: vectors(Kernel.sqrt, step, bytes); break;
      case Kernel.rsqrt: vectors(Kernel.rsqrt, step, bytes); break;
      case Kernel.sin: vectors(Kernel.sin, step, bytes); break;
      case Kernel.cos: vectors(Kernel.cos, step, bytes); break;
      case Kernel.lg2: scalars(Kernel.lg2, step, bytes); break;
      case Kernel.ex2: scalars(Kernel.ex2, step, bytes); break;
      case Kernel.tanh: scalars(Kernel.tanh, step, bytes); break;
      case Kernel.flush: vectors(Kernel.flush, step, bytes); break;
      case Kernel.canonicalize: vectors(Kernel.canonicalize, step, bytes); break;
    }
  }
}

/** Four rows at a time. `kernel` is known at compile time, so each kernel gets a loop of its own. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function vectors(kernel: Kernel, step: usize, bytes: usize): void {
  const least = f32x4.splat(load<f32>(step, Step.least));
  let target: usize = load<u32>(step, Step.target);
  let a: usize = load<u32>(step, Step.a);
  let b: usize = load<u32>(step, Step.b);
  let c: usize = load<u32>(step, Step.c);
  const aStride: usize = load<u32>(step, Step.aStride);
  const bStride: usize = load<u32>(step, Step.bStride);
  const cStride: usize = load<u32>(step, Step.cStride);
  const end = target + bytes;
  do {
    v128.store(target, vector(kernel, a, b, c, least));
    target += 16;
    a += aStride;
    b += bStride;
    c += cStride;
  } while (target < end);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function vector(kernel: Kernel, aAt: usize, bAt: usize, cAt: usize, least: v128): v128 {
  const a = v128.load(aAt);
  if (kernel == Kernel.abs) return v128.and(a, i32x4.splat(ALL_BUT_SIGN));
  if (kernel == Kernel.neg) return v128.xor(a, i32x4.splat(SIGN));
  if (kernel == Kernel.flush) return flush(a, least);
  if (kernel == Kernel.canonicalize) return v128.bitselect(a, i32x4.splat(CANONICAL_NAN), f32x4.eq(a, a));
  if (kernel == Kernel.rcp) return flush(f32x4.div(f32x4.splat(1), a), least);
  if (kernel == Kernel.sqrt) return flush(f32x4.sqrt(a), least);
  if (kernel == Kernel.rsqrt) return flush(narrow(reciprocalRoot(low(a)), reciprocalRoot(high(a))), least);
  if (kernel == Kernel.sin) return flush(sineOrCosine(0, a), least);
  if (kernel == Kernel.cos) return flush(sineOrCosine(1, a), least);
  const b = v128.load(bAt);
  if (kernel == Kernel.copysign) return v128.bitselect(a, b, i32x4.splat(SIGN));
  if (kernel == Kernel.min) return numberOf(a, b, f32x4.min(a, b));
  if (kernel == Kernel.max) return numberOf(a, b, f32x4.max(a, b));
  if (kernel == Kernel.add) return flush(f32x4.add(a, b), least);
  if (kernel == Kernel.sub) return flush(f32x4.sub(a, b), least);
  if (kernel == Kernel.mul) return flush(f32x4.mul(a, b), least);
  if (kernel == Kernel.div) return flush(divide(a, b), least);
  return flush(multiplyAdd(a, b, v128.load(cAt)), least);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function flush(x: v128, least: v128): v128 {
  const small = f32x4.lt(f32x4.abs(x), least);
  return v128.andnot(x, v128.and(small, i32x4.splat(ALL_BUT_SIGN)));
}

/** `both` is a NaN where either argument is one; there the result is the argument that is a number. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function numberOf(a: v128, b: v128, both: v128): v128 {
  return v128.bitselect(v128.bitselect(both, a, f32x4.eq(b, b)), b, f32x4.eq(a, a));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function divide(a: v128, b: v128): v128 {
  const zero = f32x4.mul(a, v128.and(b, i32x4.splat(SIGN)));
  return v128.bitselect(zero, f32x4.div(a, b), f32x4.gt(f32x4.abs(b), f32x4.splat(DIVISOR_LIMIT)));
}

/** a * b + c, rounded once: see multiplyAdd in elementary.ts of @mm-ptx/types/core. */
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

/** One row at a time, for functions with branches. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function scalars(kernel: Kernel, step: usize, bytes: usize): void {
  const least = load<f32>(step, Step.least);
  let target: usize = load<u32>(step, Step.target);
  let a: usize = load<u32>(step, Step.a);
  const aStride: usize = load<u32>(step, Step.aStride) >> 2;
  const end = target + bytes;
  do {
    const x = <f64>load<f32>(a);
    let result: f32;
    if (kernel == Kernel.lg2) result = <f32>log2(x);
    else if (kernel == Kernel.ex2) result = <f32>exp2(x);
    else result = <f32>tanh(x);
    store<f32>(target, abs<f32>(result) < least ? copysign<f32>(0, result) : result);
    target += 4;
    a += aStride;
  } while (target < end);
}
