// Derivatives of losses with respect to the constants of codes.
import type { CodeBatch } from "@mm-ptx/types/code";
import { type Check, isBoolean, isObject, isSignal } from "@mm-ptx/types/internal";
import { type Column, invalid } from "../evaluate/columns.js";
import { readData } from "../evaluate/data.js";
import type { Loss } from "../evaluate/loss.js";
import { readOptions } from "../evaluate/options.js";
import { isWorkers, type WorkersOption } from "../workers/option.js";
import { copied } from "../workers/shared.js";
import { errorKind } from "./common.js";
import { FitStatus, Method } from "./layout.js";
import { compact, offsetsOf, runPlan } from "./run.js";

/** Options of `gradientBatch`. */
export interface GradientOptions {
  /**
   * What to compare one output of each code with: an f32 and a loss of the kinds `mse`, `mae`, `nmse` or `r2`. The derivative of an
   * absolute error is its sign, and 0 if it is 0.
   */
  readonly loss: Loss;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
  /** The number of threads, or threads of your own. The default is 1. Results are the same. */
  readonly workers?: WorkersOption;
  /**
   * Stops the computation: the promise is rejected with the signal's reason. A thread checks the signal and lets other
   * tasks run only between codes, so a code with very many rows delays both.
   */
  readonly signal?: AbortSignal;
}

/** The derivatives of a batch. The first arrays have one entry for each code, in the order of the batch. */
export interface GradientResult {
  /** The status of each code: see `GradientStatus`. */
  readonly status: Uint8Array;
  /** The losses, bit for bit as `evaluateBatch` computes them; NaN if they are not finite. */
  readonly loss: Float64Array;
  /**
   * The derivatives of the loss with respect to each `constant` item of type f32, in the order of the items. Those of code i are the
   * numbers from `offsets[i]` up to `offsets[i + 1]`. They are NaN unless the status is `ok`.
   */
  readonly gradients: Float64Array;
  readonly offsets: Uint32Array;
}

/** The values of `GradientResult.status`. */
export const GradientStatus = {
  /** The derivatives are numbers, or the code has no f32 constants. */
  ok: FitStatus.ok as number,
  /** The loss is not a finite number. */
  notFinite: FitStatus.notFinite as number,
  /** The output depends on a constant through an operation without a derivative. */
  notDifferentiable: FitStatus.notDifferentiable as number,
  /** The loss is a finite number, but a derivative is not. */
  noGradient: FitStatus.noGradient as number,
} as const;

const OPTIONS: Readonly<Record<keyof GradientOptions, Check>> = {
  loss: isObject,
  webAssembly: isBoolean,
  workers: isWorkers,
  signal: isSignal,
};

/**
 * Computes the derivatives of the loss of each code with respect to its f32 constants, in reverse mode, in f32 for each row and summed
 * in f64.
 *
 * Rounding and flushing count as identities. `min`, `max`, `abs`, `copysign`, `selp` and `slct` have the derivative of
 * the operand that they return, and comparisons have the derivative 0. Besides them `add`, `sub`, `mul`, `mad`, `fma`,
 * `div`, `neg`, `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh` and `mov` of f32 are differentiable, without
 * saturation. All other operations have no derivative, which only matters for those between a constant and the output.
 *
 * @param codes straight-line codes, as for `evaluateBatch`
 * @param columns one column for each input of the codes, all of the same length
 * @throws ColumnsError (as a rejection) BAD_CODE, INVALID_ARGUMENT, INSUFFICIENT_BUFFER, UNSUPPORTED_INSTRUCTION: the
 * error of the first code that has one; WORKER_LOST
 */
export async function gradientBatch(
  codes: CodeBatch,
  columns: readonly Column[],
  options: GradientOptions,
): Promise<GradientResult> {
  const taken = readOptions<GradientOptions>(options, OPTIONS, { required: ["loss"] });
  const { signal } = taken;
  signal?.throwIfAborted();
  const { batch, loss, ...data } = readData(codes, columns, taken);
  if (errorKind(loss) === undefined) {
    throw invalid("`loss.kind` as `mse`, `mae`, `nmse` or `r2`, which have derivatives", taken.loss.kind);
  }
  const plan = { method: Method.gradient, iterations: 0, tolerance: 0, seeds: undefined };
  const task = { ...data, loss, longest: batch.longest };
  // The caller may change the codes before they are done.
  const kept = copied(batch);
  const results = await runPlan(task, plan, kept, "derivatives", taken);
  const { status, derivatives } = results;
  const offsets = offsetsOf(results);
  const gradients = compact(derivatives!, new Float64Array(offsets.at(-1)!), kept, offsets);
  return { status, loss: results.loss, gradients, offsets };
}
