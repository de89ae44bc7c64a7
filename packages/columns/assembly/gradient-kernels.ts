// Kernels of reverse steps: derivatives of f32 on a block of rows, four rows at a time. Where the derivative with respect to a result
// is zero, that with respect to an operand is zero as well, even if the factor is infinite: the branch was not taken.
import { ReverseKernel } from "../src/gradient/layout.js";
import { Step } from "../src/machine/layout.js";
import { addressOf, runSteps } from "./gradient-core.js";

const SIGN: i32 = <i32>0x80000000;
const LN_2: f32 = 0.6931471824645996;
const LOG2_E: f32 = 1.4426950216293335;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function guarded(g: v128, result: v128): v128 {
  return v128.and(result, f32x4.ne(g, f32x4.splat(0)));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function where(condition: v128, g: v128): v128 {
  return v128.and(g, condition);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function notNegative(x: v128, least: v128): v128 {
  return v128.or(f32x4.ge(x, f32x4.splat(0)), f32x4.lt(f32x4.abs(x), least));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function result(kernel: ReverseKernel, g: v128, a: v128, b: v128, least: v128): v128 {
  if (kernel == ReverseKernel.add) return f32x4.add(g, a);
  if (kernel == ReverseKernel.sub) return f32x4.sub(g, a);
  if (kernel == ReverseKernel.mul) return guarded(g, f32x4.mul(g, a));
  if (kernel == ReverseKernel.div) return guarded(g, f32x4.div(g, a));
  if (kernel == ReverseKernel.flipSign) return v128.xor(g, v128.and(a, i32x4.splat(SIGN)));
  if (kernel == ReverseKernel.flipSigns) return v128.xor(g, v128.and(v128.xor(a, b), i32x4.splat(SIGN)));
  if (kernel == ReverseKernel.whereEqual) return where(f32x4.eq(a, b), g);
  if (kernel == ReverseKernel.whereDifferent) return where(f32x4.ne(a, b), g);
  if (kernel == ReverseKernel.whereTrue) return where(i32x4.ne(a, i32x4.splat(0)), g);
  if (kernel == ReverseKernel.whereFalse) return where(i32x4.eq(a, i32x4.splat(0)), g);
  if (kernel == ReverseKernel.whereSign) return where(notNegative(a, least), g);
  if (kernel == ReverseKernel.whereNoSign) return where(v128.not(notNegative(a, least)), g);
  if (kernel == ReverseKernel.whereInteger) return where(i32x4.ge_s(a, i32x4.splat(0)), g);
  if (kernel == ReverseKernel.whereNoInteger) return where(i32x4.lt_s(a, i32x4.splat(0)), g);
  if (kernel == ReverseKernel.rcp) return guarded(g, f32x4.mul(f32x4.mul(g, a), a));
  if (kernel == ReverseKernel.sqrt) return guarded(g, f32x4.div(f32x4.mul(g, f32x4.splat(0.5)), a));
  if (kernel == ReverseKernel.rsqrt) {
    return guarded(g, f32x4.div(f32x4.mul(f32x4.mul(g, f32x4.splat(0.5)), a), b));
  }
  if (kernel == ReverseKernel.lg2) return guarded(g, f32x4.mul(f32x4.div(g, b), f32x4.splat(LOG2_E)));
  if (kernel == ReverseKernel.ex2) return guarded(g, f32x4.mul(f32x4.mul(g, a), f32x4.splat(LN_2)));
  const one = f32x4.splat(1);
  return guarded(g, f32x4.mul(g, f32x4.mul(f32x4.sub(one, a), f32x4.add(one, a))));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(kernel: ReverseKernel, step: usize, offset: usize, rows: usize): void {
  let g = addressOf(load<u32>(step, Step.a), offset);
  let a = addressOf(load<u32>(step, Step.b), offset);
  let b = addressOf(load<u32>(step, Step.c), offset);
  const least = f32x4.splat(load<f32>(step, Step.extra));
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  do {
    const first = result(kernel, v128.load(g), v128.load(a), v128.load(b), least);
    const second = result(kernel, v128.load(g, 16), v128.load(a, 16), v128.load(b, 16), least);
    v128.store(target, first);
    v128.store(target, second, 16);
    g += 32;
    a += 32;
    b += 32;
    target += 32;
  } while (target < end);
}

/** The steps whose kernels read two columns. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function mapTwo(kernel: ReverseKernel, step: usize, offset: usize, rows: usize): void {
  let g = addressOf(load<u32>(step, Step.a), offset);
  let a = addressOf(load<u32>(step, Step.b), offset);
  let target: usize = load<u32>(step, Step.target);
  const least = f32x4.splat(load<f32>(step, Step.extra));
  const end = target + (rows << 2);
  do {
    const x = v128.load(g);
    const y = v128.load(g, 16);
    const z = v128.load(g, 32);
    const w = v128.load(g, 48);
    const first = result(kernel, x, v128.load(a), x, least);
    const second = result(kernel, y, v128.load(a, 16), y, least);
    const third = result(kernel, z, v128.load(a, 32), z, least);
    const fourth = result(kernel, w, v128.load(a, 48), w, least);
    v128.store(target, first);
    v128.store(target, second, 16);
    v128.store(target, third, 32);
    v128.store(target, fourth, 48);
    g += 64;
    a += 64;
    target += 64;
  } while (target < end);
}

/** Runs reverse steps on a block of rows. */
export function runReverse(step: usize, end: usize, offset: usize, rows: usize): void {
  for (; step < end; step += Step.bytes) {
    switch (load<u32>(step, Step.d)) {
      case ReverseKernel.add: mapTwo(ReverseKernel.add, step, offset, rows); break;
      case ReverseKernel.sub: mapTwo(ReverseKernel.sub, step, offset, rows); break;
      case ReverseKernel.mul: mapTwo(ReverseKernel.mul, step, offset, rows); break;
      case ReverseKernel.div: mapTwo(ReverseKernel.div, step, offset, rows); break;
      case ReverseKernel.flipSign: mapTwo(ReverseKernel.flipSign, step, offset, rows); break;
      case ReverseKernel.flipSigns: map(ReverseKernel.flipSigns, step, offset, rows); break;
      case ReverseKernel.whereEqual: map(ReverseKernel.whereEqual, step, offset, rows); break;
      case ReverseKernel.whereDifferent: map(ReverseKernel.whereDifferent, step, offset, rows); break;
      case ReverseKernel.whereTrue: mapTwo(ReverseKernel.whereTrue, step, offset, rows); break;
      case ReverseKernel.whereFalse: mapTwo(ReverseKernel.whereFalse, step, offset, rows); break;
      case ReverseKernel.whereSign: mapTwo(ReverseKernel.whereSign, step, offset, rows); break;
      case ReverseKernel.whereNoSign: mapTwo(ReverseKernel.whereNoSign, step, offset, rows); break;
      case ReverseKernel.whereInteger: mapTwo(ReverseKernel.whereInteger, step, offset, rows); break;
      case ReverseKernel.whereNoInteger: mapTwo(ReverseKernel.whereNoInteger, step, offset, rows); break;
      case ReverseKernel.rcp: mapTwo(ReverseKernel.rcp, step, offset, rows); break;
      case ReverseKernel.sqrt: mapTwo(ReverseKernel.sqrt, step, offset, rows); break;
      case ReverseKernel.rsqrt: map(ReverseKernel.rsqrt, step, offset, rows); break;
      case ReverseKernel.lg2: map(ReverseKernel.lg2, step, offset, rows); break;
      case ReverseKernel.ex2: mapTwo(ReverseKernel.ex2, step, offset, rows); break;
      case ReverseKernel.tanh: mapTwo(ReverseKernel.tanh, step, offset, rows); break;
      default: runSteps(step, step + Step.bytes, offset, rows);
    }
  }
}
