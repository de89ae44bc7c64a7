// What outputs are compared with.
import { ColumnsError } from "../error.js";
import type { LossData } from "../machine/machine.js";
import { invalid } from "./columns.js";

/** How one output of each code is compared with a target. */
export interface Loss {
  /** `mse`: the mean of the squared errors. */
  readonly kind: "mse";
  /** One number for each row. */
  readonly target: Float32Array | Float64Array;
  /** The number of the output that is compared. The default is 0. */
  readonly output?: number;
}

/** Reads the loss of a call. @throws ColumnsError INVALID_ARGUMENT */
export function readLoss({ kind, target, output = 0 }: Loss, rows: number): LossData {
  if (kind !== "mse") throw invalid("a loss", kind);
  if (target.length !== rows) {
    throw new ColumnsError("INVALID_ARGUMENT", `expected ${rows} rows in \`target\`, found ${target.length}`);
  }
  return { kind, output, target: Float64Array.from(target), weights: undefined };
}
