// Which equation of a front to take.
import { log2 } from "@mm-ptx/types/internal/floats";
import type { Equation } from "./regression.js";

/** Losses below this are as good as none. */
const NO_LOSS = 1e-12;
/** How many times the least loss an equation may have to be picked, and the loss that is always good enough: what measured numbers allow. */
const TOLERANCE = 1.5;
const NEARLY_EXACT = 1e-7;

/** The loss by which equations are compared: the one on held-out rows where it is greater. */
const lossOf = ({ loss, heldOut = loss }: Equation): number => Math.max(loss, heldOut, NO_LOSS);

/**
 * The index of the equation that says most for its length: of those whose loss is at most 1.5 times the least one, or nearly none, the one
 * before which the loss falls most for each unit of complexity, in logarithms. -1 without equations.
 */
export function pickEquation(equations: readonly Equation[]): number {
  const least = Math.min(...equations.map(lossOf));
  let pick = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, equation] of equations.entries()) {
    if (!(lossOf(equation) <= Math.max(TOLERANCE * least, NEARLY_EXACT))) continue;
    const before = equations[index - 1];
    const fall =
      before === undefined
        ? 0
        : log2(lossOf(before) / lossOf(equation)) / (equation.complexity - before.complexity);
    if (fall > most) [pick, most] = [index, fall];
  }
  return pick;
}
