// The problem as the fitting methods see it, in JavaScript; assembly/gradient-problem.ts is its counterpart in
// WebAssembly.
import { log2 } from "@mm-ptx/types/internal/floats";

/** An integer of 32 bits. */
export type Index = number;

/** Evaluates constants, the numbers from `from` on; see `evaluate`. */
export type Evaluate = (from: Index, sums: Index, limit: number) => number;

/** The numbers that methods compute with, in an order that each method defines. */
let numbers = new Float64Array(0);
let evaluator: Evaluate = () => Number.NaN;

/** Starts a problem that needs this many numbers. */
export function startProblem(count: number, evaluateConstants: Evaluate): Float64Array {
  if (numbers.length < count) numbers = new Float64Array(count);
  evaluator = evaluateConstants;
  return numbers;
}

export const at = (index: Index): number => numbers[index]!;

export function put(index: Index, value: number): void {
  numbers[index] = value;
}

export function copy(from: Index, to: Index, count: Index): void {
  numbers.copyWithin(to, from, from + count);
}

/**
 * The loss with constants that are the numbers from `from` on.
 * @param sums where to write the sums of products of columns, or -1 if they are not needed
 * @param limit a sum of squared errors; the loss is infinite if it is exceeded
 */
export const evaluate = (from: Index, sums: Index, limit: number): number => evaluator(from, sums, limit);

/** The nearest f32 that is not subnormal. */
export function rounded(x: number): number {
  const result = Math.fround(x);
  return Math.abs(result) < 2 ** -126 ? 0 : result;
}

export const isFinite64 = (x: number): boolean => x - x === 0;

/** The base-2 logarithm of a number, rounded to f32 before. */
export const log2OfFloat = (x: number): number => log2(Math.fround(x));
