// Helpers for derivatives that both machines share.

import { fitNumbers } from "../fit/squares.js";
import type { FitPlan } from "../machine/derivatives.js";
import { LossKernel } from "../machine/kernels.js";
import type { LossData } from "../machine/machine.js";
import { ErrorKind, Method } from "./layout.js";

const ERRORS: ReadonlyMap<LossKernel, ErrorKind> = new Map([
  [LossKernel.squared, ErrorKind.squared],
  [LossKernel.absolute, ErrorKind.absolute],
  [LossKernel.scaled, ErrorKind.scaled],
]);

/** The kind of error that the derivatives of a loss depend on, or `undefined` if it has no derivatives. */
export const errorKind = ({ kernel }: LossData): ErrorKind | undefined => ERRORS.get(kernel);

/**
 * Codes with more constants are not fitted by the Levenberg-Marquardt method, whose time grows with the cube of their
 * number.
 */
export const MOST_CONSTANTS = 256;

/** The roots of the weights of a loss, as f32. */
export const rootWeightsOf = ({ weights }: LossData): Float32Array | undefined =>
  weights === undefined ? undefined : Float32Array.from(weights, Math.sqrt);

/** The deviations of the target from its mean, times the roots of the weights, as f32. */
export function centeredTarget({ target, targetMean, weights }: LossData): Float32Array {
  const numbers = target as Float64Array;
  return Float32Array.from(
    numbers,
    (value, row) => (value - targetMean) * (weights === undefined ? 1 : Math.sqrt(weights[row]!)),
  );
}

/** The columns of sums for each number of constants: see ../fit/squares.ts. */
export const columnsOf = (errors: ErrorKind, constants: number): number =>
  constants + (errors === ErrorKind.scaled ? 3 : 1);

/** The f64 numbers that a method needs for a code with this many constants. */
export function numbersOf({ method }: FitPlan, errors: ErrorKind, constants: number): number {
  if (method === Method.evolution) return 2 * constants;
  const count = method === Method.gradient ? constants : Math.min(constants, MOST_CONSTANTS);
  const columns = columnsOf(errors, count);
  const pairs = (columns * (columns + 1)) / 2;
  if (method === Method.gradient) {
    const sums = pairs - (count * (count + 1)) / 2;
    return 2 * count + 5 * sums;
  }
  return fitNumbers(count, columns) + 4 * pairs;
}
