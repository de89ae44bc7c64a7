// The spread of losses over several perturbations.
import type { Results } from "../machine/machine.js";
import { mix } from "./disturb.js";
import { Hash } from "./limits.js";

/** The losses of codes over several perturbations; one entry for each code. */
export interface LossInterval {
  /** 1 if a perturbed loss is not a number: see `EvaluationStatus`. */
  readonly status: Uint8Array;
  /** The least and the greatest perturbed loss; NaN for codes whose status is not 0. */
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

/** The seed of a perturbation. */
const seedOf = (seed: number, disturbance: number): number =>
  mix((seed + Math.imul(disturbance, Hash.golden)) | 0) >>> 0;

/**
 * Joins the losses of several perturbations.
 * @param evaluate computes the losses of all codes with a seed
 */
export async function intervalOf(
  seed: number,
  disturbances: number,
  evaluate: (seed: number) => Promise<Results>,
): Promise<LossInterval> {
  const first = await evaluate(seedOf(seed, 0));
  const status = Uint8Array.from(first.status);
  const lowest = Float64Array.from(first.loss!);
  const highest = lowest.slice();
  for (let disturbance = 1; disturbance < disturbances; disturbance++) {
    const next = await evaluate(seedOf(seed, disturbance));
    for (let code = 0; code < status.length; code++) {
      const loss = next.loss![code]!;
      status[code] = Math.max(status[code]!, next.status[code]!);
      // A NaN stays one.
      lowest[code] = Math.min(lowest[code]!, loss);
      highest[code] = Math.max(highest[code]!, loss);
    }
  }
  return { status, lowest, highest };
}
