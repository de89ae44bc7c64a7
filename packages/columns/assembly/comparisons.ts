// Comparisons of words, whose results are 0 or 1, and selection, four rows at a time.
import { Comparison } from "../src/machine/word-kernels.js";
import { Step } from "../src/machine/layout.js";
import { addressOf } from "./lanes.js";

/** All ones or zeros. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function compare(comparison: Comparison, a: v128, b: v128): v128 {
  if (comparison == Comparison.equal) return i32x4.eq(a, b);
  if (comparison == Comparison.lessSigned) return i32x4.lt_s(a, b);
  if (comparison == Comparison.lessUnsigned) return i32x4.lt_u(a, b);
  if (comparison == Comparison.greaterSigned) return i32x4.gt_s(a, b);
  if (comparison == Comparison.greaterUnsigned) return i32x4.gt_u(a, b);
  if (comparison == Comparison.floatEqual) return f32x4.eq(a, b);
  if (comparison == Comparison.floatDifferent) return v128.or(f32x4.lt(a, b), f32x4.gt(a, b));
  if (comparison == Comparison.floatLess) return f32x4.lt(a, b);
  if (comparison == Comparison.floatLessOrEqual) return f32x4.le(a, b);
  if (comparison == Comparison.floatGreater) return f32x4.gt(a, b);
  if (comparison == Comparison.floatGreaterOrEqual) return f32x4.ge(a, b);
  return v128.and(f32x4.eq(a, a), f32x4.eq(b, b));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function map(comparison: Comparison, inverse: v128, a: usize, b: usize, target: usize, end: usize): void {
  do {
    const holds = i32x4.shr_u(compare(comparison, v128.load(a), v128.load(b)), 31);
    v128.store(target, v128.xor(holds, inverse));
    a += 16;
    b += 16;
    target += 16;
  } while (target < end);
}

export function comparisons(step: usize, offset: usize, rows: usize): void {
  const extra = load<u32>(step, Step.extra);
  const inverse = i32x4.splat(<i32>(extra >> 8));
  let a = addressOf(load<u32>(step, Step.a), offset);
  let b = addressOf(load<u32>(step, Step.b), offset);
  let target: usize = load<u32>(step, Step.target);
  const end = target + (rows << 2);
  switch (extra & 255) {
    case Comparison.equal: map(Comparison.equal, inverse, a, b, target, end); break;
    case Comparison.lessSigned: map(Comparison.lessSigned, inverse, a, b, target, end); break;
    case Comparison.lessUnsigned: map(Comparison.lessUnsigned, inverse, a, b, target, end); break;
    case Comparison.greaterSigned: map(Comparison.greaterSigned, inverse, a, b, target, end); break;
    case Comparison.greaterUnsigned: map(Comparison.greaterUnsigned, inverse, a, b, target, end); break;
    case Comparison.floatEqual: map(Comparison.floatEqual, inverse, a, b, target, end); break;
    case Comparison.floatDifferent: map(Comparison.floatDifferent, inverse, a, b, target, end); break;
    case Comparison.floatLess: map(Comparison.floatLess, inverse, a, b, target, end); break;
    case Comparison.floatLessOrEqual: map(Comparison.floatLessOrEqual, inverse, a, b, target, end); break;
    case Comparison.floatGreater: map(Comparison.floatGreater, inverse, a, b, target, end); break;
    case Comparison.floatGreaterOrEqual: map(Comparison.floatGreaterOrEqual, inverse, a, b, target, end); break;
    case Comparison.ordered: map(Comparison.ordered, inverse, a, b, target, end); break;
    case Comparison.select: {
      let c = addressOf(load<u32>(step, Step.c), offset);
      do {
        const first = v128.bitselect(v128.load(a), v128.load(b), i32x4.neg(v128.load(c)));
        const second = v128.bitselect(v128.load(a, 16), v128.load(b, 16), i32x4.neg(v128.load(c, 16)));
        v128.store(target, first);
        v128.store(target, second, 16);
        a += 32;
        b += 32;
        c += 32;
        target += 32;
      } while (target < end);
    }
  }
}
