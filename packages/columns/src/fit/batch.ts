// Fits the constants of codes to data.
import type { CodeBatch } from "@mm-ptx/types/code";
import {
  type Check,
  isBoolean,
  isNumber,
  isObject,
  isOneOf,
  isSignal,
  isWhole,
} from "@mm-ptx/types/internal";
import { type Column, invalid } from "../evaluate/columns.js";
import { readData } from "../evaluate/data.js";
import type { Loss } from "../evaluate/loss.js";
import { readOptions } from "../evaluate/options.js";
import { errorKind } from "../gradient/common.js";
import { ErrorKind, FitStatus, Method } from "../gradient/layout.js";
import { compact, offsetsOf, runPlan } from "../gradient/run.js";
import { isWorkers, type WorkersOption } from "../workers/option.js";
import { copied } from "../workers/shared.js";
import { seedsOf } from "./seeds.js";

/**
 * How constants are fitted. `lm` is the Levenberg-Marquardt method, for losses that are sums of squares: `mse`, `r2`
 * and `nmse`, whose linear scaling is part of the model. `es` is a (1+1) evolution strategy for all losses, which
 * changes all constants of a code at random and keeps the better ones.
 */
export type FitMethod = "lm" | "es";

/** Options of `fitConstants`. */
export interface FitOptions {
  /** What to compare one output of each code with. */
  readonly loss: Loss;
  readonly method: FitMethod;
  /** The most candidates that are tried for each code. The default is 10 for `lm` and 100 for `es`. */
  readonly iterations?: number;
  /** `lm` stops when a candidate reduces the loss by a smaller fraction than this. The default is 1e-9. */
  readonly tolerance?: number;
  /**
   * Seeds the random numbers of `es`, which depend only on the seed and the index of a code in its batch. The default
   * is 0.
   */
  readonly seed?: number;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
  /** The number of threads, or threads of your own. The default is 1. Results are the same. */
  readonly workers?: WorkersOption;
  /**
   * Stops the computation: the promise is rejected with the signal's reason. A thread checks the signal and lets other
   * tasks run only between codes, so a code with very many rows or iterations delays both.
   */
  readonly signal?: AbortSignal;
}

/** The constants of a batch. The first arrays have one entry for each code, in the order of the batch. */
export interface FitResult {
  /** The status of each code: see `FitStatus`. */
  readonly status: Uint8Array;
  /** The loss with the returned constants, bit for bit as `evaluateBatch` computes it; NaN if it is not finite. */
  readonly loss: Float64Array;
  /** The loss with the constants of the code. */
  readonly lossBefore: Float64Array;
  /** How many times the code was run on the rows, at least in part. */
  readonly evaluations: Uint32Array;
  /**
   * The bits of each `constant` item of type f32, in the order of the items. Those of code i are the words from `offsets[i]` up to
   * `offsets[i + 1]`. `replaceConstants` writes them into codes.
   */
  readonly constants: Uint32Array;
  readonly offsets: Uint32Array;
}

/** The values of `FitResult.status`. */
export const FitStatuses = {
  /** The loss is a number, and it is not greater than before. */
  ok: FitStatus.ok as number,
  /** The loss is not a finite number. The constants are those of the code. */
  notFinite: FitStatus.notFinite as number,
  /** Only `lm`: the output depends on a constant through an operation without a derivative. The constants are those of the code. */
  notDifferentiable: FitStatus.notDifferentiable as number,
  /** Only `lm`: the loss is a finite number, but its derivatives are not. The constants are those of the code. */
  noGradient: FitStatus.noGradient as number,
  /** Only `lm`: the code has more than 256 constants, and they are returned as they are. */
  tooManyConstants: FitStatus.tooManyConstants as number,
} as const;

const MOST_ITERATIONS = 1_000_000;
const DEFAULT_ITERATIONS: Readonly<Record<FitMethod, number>> = { lm: 10, es: 100 };
const DEFAULT_TOLERANCE = 1e-9;

const OPTIONS: Readonly<Record<keyof FitOptions, Check>> = {
  loss: isObject,
  method: isOneOf(["lm", "es"]),
  iterations: isWhole(0, MOST_ITERATIONS),
  tolerance: isNumber(0, 1),
  seed: isWhole(0, 0xffffffff),
  webAssembly: isBoolean,
  workers: isWorkers,
  signal: isSignal,
};

/**
 * Fits the f32 constants of each code so that its loss decreases. Candidates are rounded to f32 before they are tried,
 * so the returned loss is exactly that of the program with these constants. Results have the same bits on all machines.
 *
 * @param codes straight-line codes, as for `evaluateBatch`
 * @param columns one column for each input of the codes, all of the same length
 * @throws ColumnsError (as a rejection) BAD_CODE, INVALID_ARGUMENT, INSUFFICIENT_BUFFER, UNSUPPORTED_INSTRUCTION: the
 * error of the first code that has one; WORKER_LOST
 */
export async function fitConstants(
  codes: CodeBatch,
  columns: readonly Column[],
  options: FitOptions,
): Promise<FitResult> {
  const taken = readOptions<FitOptions>(options, OPTIONS, { required: ["loss", "method"] });
  const { signal, method, tolerance = DEFAULT_TOLERANCE, seed = 0 } = taken;
  const { iterations = DEFAULT_ITERATIONS[method] } = taken;
  signal?.throwIfAborted();
  const { batch, loss, ...data } = readData(codes, columns, taken);
  const errors = errorKind(loss);
  if (method === "lm" && (errors === undefined || errors === ErrorKind.absolute)) {
    throw invalid("`loss.kind` as `mse`, `nmse` or `r2` for the method `lm`", taken.loss.kind);
  }
  const plan = {
    method: method === "lm" ? Method.levenbergMarquardt : Method.evolution,
    iterations,
    tolerance,
    seeds: method === "es" ? seedsOf(seed, batch.count) : undefined,
  };
  const task = { ...data, loss, longest: batch.longest };
  // The caller may change the codes before they are done.
  const kept = copied(batch);
  const results = await runPlan(task, plan, kept, "constants", taken);
  const { status, lossBefore, evaluations, constants } = results;
  const offsets = offsetsOf(results);
  return {
    status,
    loss: results.loss,
    lossBefore,
    evaluations,
    constants: compact(constants!, new Uint32Array(offsets.at(-1)!), kept, offsets),
    offsets,
  };
}
