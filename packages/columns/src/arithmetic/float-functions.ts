// Floating-point arithmetic as functions of numbers, for one format and rounding mode: the results of add, fma and the
// others before `.ftz`, `.sat` and `.relu` (PTX ISA, Floating Point Instructions).
import { flushBelow, multiplyAdd } from "@mm-ptx/types/internal/floats";
import { add64, divide64, multiply64, multiplyAdd64, root64 } from "./double.js";
import { exactSum } from "./exact.js";
import { BF16, F16, F32, type FloatFormat, powerOfTwo, type Rounding, roundTo } from "./formats.js";

/** The arithmetic of a format; arguments and results are values of the format. */
export interface FloatArithmetic {
  add(a: number, b: number): number;
  multiply(a: number, b: number): number;
  multiplyAdd(a: number, b: number, c: number): number;
  divide(a: number, b: number): number;
  root(a: number): number;
  /** Rounds an f64 that is the exact result or has much more precision than the format. */
  round(x: number): number;
  /** Replaces a subnormal with a zero of the same sign. */
  flush(x: number): number;
}

/** The arithmetic of a type in a rounding mode. */
export function floatArithmetic(type: string, rounding: Rounding): FloatArithmetic | undefined {
  if (type === "f64") return doubleArithmetic(rounding);
  const format = { f16: F16, bf16: BF16, f32: F32 }[type];
  if (format === undefined) return undefined;
  return rounding === "rn" ? nearestArithmetic(format) : directedArithmetic(format, rounding);
}

/** Rounding to nearest. Double rounding through f64 is harmless except for fused operations (Figueroa 1995). */
function nearestArithmetic(format: FloatFormat): FloatArithmetic {
  const round = format === F32 ? Math.fround : (x: number) => roundTo(format, x, 0, "rn");
  const finish = (x: number, residue: number) => roundTo(format, x, residue, "rn");
  return {
    add: (a, b) => round(a + b),
    multiply: (a, b) => round(a * b),
    multiplyAdd:
      format === F32
        ? (a, b, c) => Math.fround(multiplyAdd(a, b, c))
        : (a, b, c) => exactSum(a * b, c, finish),
    divide: (a, b) => round(a / b),
    root: (a) => round(Math.sqrt(a)),
    round,
    flush: flusher(format),
  };
}

function directedArithmetic(format: FloatFormat, rounding: Rounding): FloatArithmetic {
  const finish = (x: number, residue: number) => roundTo(format, x, residue, rounding);
  const add = (a: number, b: number) => {
    // If the terms cancel, rounding down yields -0, unless both terms are +0.
    const cancels = a + b === 0 && !(Object.is(a, 0) && Object.is(b, 0));
    return cancels && rounding === "rm" ? -0 : exactSum(a, b, finish);
  };
  return {
    add,
    multiply: (a, b) => finish(a * b, 0),
    multiplyAdd: (a, b, c) => add(a * b, c),
    // A 24-bit quotient or root that is neither an f32 nor a midpoint between two is farther from both than the f64
    // rounding error.
    divide: (a, b) => finish(a / b, 0),
    root: (a) => finish(Math.sqrt(a), 0),
    round: (x) => finish(x, 0),
    flush: flusher(format),
  };
}

function doubleArithmetic(rounding: Rounding): FloatArithmetic {
  return {
    add: (a, b) => add64(a, b, rounding),
    multiply: (a, b) => multiply64(a, b, rounding),
    multiplyAdd: (a, b, c) => multiplyAdd64(a, b, c, rounding),
    divide: (a, b) => divide64(a, b, rounding),
    root: (a) => root64(a, rounding),
    round: (x) => x,
    flush: (x) => flushBelow(x, 2.2250738585072014e-308),
  };
}

/** A function that replaces subnormals of a format with zeros. */
export function flusher({ leastExponent }: FloatFormat): (x: number) => number {
  const least = powerOfTwo(leastExponent);
  return (x) => flushBelow(x, least);
}

/** `.sat`: clamps to [0, 1]; a NaN becomes +0. */
export const saturate = (x: number): number => (x > 0 ? Math.min(x, 1) : 0);

/** `.relu`: negative values become +0; NaNs stay. */
export const rectify = (x: number): number => Math.max(x, 0);
