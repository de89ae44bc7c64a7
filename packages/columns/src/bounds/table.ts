// The errors that PTX permits approximate instructions: PTX ISA 9.0, sections 9.7.3 (f32, f64) and 9.7.4 (halves).
// docs/bounds.md shows the same as a table, including the points that the manual leaves open.
import { approximateQuotient, cosine, exp2, log2, sine, tanh } from "@mm-ptx/types/internal/floats";
import { powerBelow } from "./disturb.js";
import {
  ANGLE_ERROR,
  Approximate,
  INVERSE_ROOT_ERROR,
  LARGE_ANGLE_ERROR,
  LOGARITHM_ERROR,
  ROOT_ERROR,
  SMALL_ANGLE,
  SMALL_ANGLE_ERROR,
  TANGENT_ERROR,
  ULP,
} from "./limits.js";

/** An approximate instruction. */
export interface Bounded {
  readonly operation: Approximate;
  readonly operands: number;
  /** The exact result, with far more precision than its type has; infinities, zeros and NaNs as the instruction's. */
  readonly exact: (a: number, b: number) => number;
  /** The largest error for an exact result of this magnitude, and the first operand. */
  readonly bound: (size: number, a: number) => number;
  /** An upper bound of the magnitude of results. */
  readonly most: number;
  /** Whether errors depend on the magnitudes of the operands only, for functions that are odd or even. */
  readonly symmetric: boolean;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

const ulps =
  (count: number) =>
  (size: number): number =>
    count * (powerBelow(size) * ULP);
const relative =
  (error: number) =>
  (size: number): number =>
    error * size;
const angular = (_size: number, a: number): number =>
  Math.abs(a) <= SMALL_ANGLE ? SMALL_ANGLE_ERROR : Math.max(ANGLE_ERROR, LARGE_ANGLE_ERROR * Math.abs(a));

const row = (
  operation: Approximate,
  exact: Bounded["exact"],
  bound: Bounded["bound"],
  rest: Partial<Bounded> = {},
): Bounded => ({ operation, operands: 1, exact, bound, most: NO_LIMIT, symmetric: false, ...rest });

/** The f32 instructions, without `.ftz` and their type. */
export const FLOAT_BOUNDS: Readonly<Record<string, Bounded>> = {
  // 9.7.3.8: 2 ulp for |b| from 2^-126 to 2^126; the manual has the result for larger |b|, and nothing for smaller ones.
  "div.approx": row(Approximate.div, approximateQuotient, ulps(2), { operands: 2, symmetric: true }),
  // 9.7.3.8: 2 ulp across the full range.
  "div.full": row(Approximate.divFull, (a, b) => a / b, ulps(2), { operands: 2, symmetric: true }),
  // 9.7.3.13: 1 ulp across the full range.
  "rcp.approx": row(Approximate.rcp, (a) => 1 / a, ulps(1), { symmetric: true }),
  // 9.7.3.15
  "sqrt.approx": row(Approximate.sqrt, Math.sqrt, relative(ROOT_ERROR)),
  // 9.7.3.16
  "rsqrt.approx": row(Approximate.rsqrt, (a) => 1 / Math.sqrt(a), relative(INVERSE_ROOT_ERROR)),
  // 9.7.3.18 and 9.7.3.19: nothing is promised beyond 100 pi.
  "sin.approx": row(Approximate.sin, sine, angular, { most: 1, symmetric: true }),
  "cos.approx": row(Approximate.cos, cosine, angular, { most: 1, symmetric: true }),
  // 9.7.3.20
  "lg2.approx": row(Approximate.lg2, log2, (size, a) => LOGARITHM_ERROR * (a > 0.5 && a < 2 ? 1 : size)),
  // 9.7.3.21: 2 ulp from the correctly rounded result.
  "ex2.approx": row(Approximate.ex2, exp2, ulps(2)),
  // 9.7.3.22
  "tanh.approx": row(Approximate.tanh, tanh, relative(TANGENT_ERROR), { most: 1, symmetric: true }),
};

/** The instructions of 16-bit formats, without `.ftz` and with the type of one value. */
export const HALF_BOUNDS: Readonly<Record<string, Bounded>> = {
  // 9.7.4.10
  "ex2.approx.f16": row(Approximate.ex2Half, exp2, relative(2 ** -9.9)),
  "ex2.approx.bf16": row(Approximate.ex2Brain, exp2, relative(2 ** -7)),
  // 9.7.4.9
  "tanh.approx.f16": row(Approximate.tanhHalf, tanh, () => 2 ** -10.987, { most: 1, symmetric: true }),
  "tanh.approx.bf16": row(Approximate.tanhBrain, tanh, () => 2 ** -8, { most: 1, symmetric: true }),
};

/**
 * The f64 instructions, for which the manual has no number: results are exact or off by one unit in the last place.
 * Those with `.ftz` have only the upper 32 bits.
 */
export const DOUBLE_BOUNDS: Readonly<Record<string, { operation: Approximate; upper: boolean }>> = {
  // 9.7.3.14
  "rcp.approx.ftz.f64": { operation: Approximate.rcpUpper, upper: true },
  // 9.7.3.17
  "rsqrt.approx.ftz.f64": { operation: Approximate.rsqrtUpper, upper: true },
  // 9.7.3.16
  "rsqrt.approx.f64": { operation: Approximate.rsqrtDouble, upper: false },
};
