// Fits constants so that the largest error is least: weighted least squares, whose weights grow where errors are large (Lawson's
// algorithm; Rice and Usow, "The Lawson algorithm and extensions", Mathematics of Computation 22, 1968).
import { evaluateBatch, fitConstants, replaceConstants } from "@mm-ptx/columns";
import type { CodeBatch } from "@mm-ptx/types/code";
import type { ActivationRows } from "./evolution.js";

const ROUNDS = 60;
const STEPS = 5;
/** Fitting ends after this many rounds without an improvement by a thousandth. */
const PATIENCE = 15;

/**
 * A batch of one code with the constants that make its largest error on the rows least.
 * @param code a batch of one code
 */
export async function fitLargestError(
  code: CodeBatch,
  { x, target, weights: squares }: ActivationRows,
): Promise<CodeBatch> {
  const weights = squares.slice();
  const slopes = squares.map(Math.sqrt);
  let best = { code, error: Number.POSITIVE_INFINITY };
  let current = code;
  for (let round = 0, since = 0; round < ROUNDS && since < PATIENCE; round++, since++) {
    const { cases } = await evaluateBatch(current, [x], {
      loss: { kind: "max", target, weights: slopes },
      cases: true,
    });
    let error = 0;
    for (let row = 0; row < x.length; row++) error = Math.max(error, cases![row]! * slopes[row]!);
    if (!Number.isFinite(error)) break;
    if (error < 0.999 * best.error) since = 0;
    if (error < best.error) best = { code: current, error };
    let sum = 0;
    for (let row = 0; row < x.length; row++) {
      // Rows without an error keep a little of their weight, because errors move.
      weights[row]! *= Math.max((cases![row]! * slopes[row]!) / error, 0.02);
      sum += weights[row]!;
    }
    for (let row = 0; row < x.length; row++) weights[row]! /= sum;
    const fit = await fitConstants(current, [x], {
      loss: { kind: "mse", target, weights },
      method: "lm",
      iterations: STEPS,
    });
    if (fit.constants.length === 0) break;
    current = replaceConstants(current, fit);
  }
  return best.code;
}
