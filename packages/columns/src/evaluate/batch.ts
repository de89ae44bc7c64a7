// Evaluates a batch of codes on columns of data.
import type { CodeBatch } from "@mm-ptx/types/code";
import {
  type Check,
  isBoolean,
  isObject,
  isOneOf,
  isSignal,
  isWhole,
  TURN,
  turn,
} from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { LossKernel } from "../machine/kernels.js";
import { borrowLoadedMachine, borrowMachine } from "../machine/loans.js";
import type { Results, Task } from "../machine/machine.js";
import { isWorkers, type WorkersOption, workersOf } from "../workers/option.js";
import { copied } from "../workers/shared.js";
import type { Codes } from "./codes.js";
import type { Column } from "./columns.js";
import { readData } from "./data.js";
import type { Loss } from "./loss.js";
import { readOptions } from "./options.js";
import { type BatchResult, batchResult, makeResults, type WantedResults } from "./results.js";
import { runShare } from "./share.js";

/** The perturbations of an interval. */
export interface IntervalOptions {
  /** The number of perturbations, from 1 to 65,536. */
  readonly disturbances: number;
}

/** Options of `evaluateBatch`. */
export interface EvaluateOptions {
  /** The number of rows, which is needed when there are no columns. */
  readonly rows?: number;
  /** What to compare one output of each code with. */
  readonly loss?: Loss;
  /** Whether to return what each row adds to the loss, in 8 bytes per row and code. Requires `loss`. */
  readonly cases?: boolean;
  /** Whether to return all outputs of all codes, in 4 or 8 bytes per row and output. */
  readonly outputs?: boolean;
  /**
   * `ptx` perturbs the results of approximate instructions, such as `div.approx` and `sin.approx`, within the errors
   * that the PTX manual permits. The same instruction with the same operands has the same result everywhere, as on a
   * GPU. By default the nearest values are computed.
   */
  readonly bounds?: "ptx";
  /** Selects the perturbations of `bounds` and `interval`: a number from 0 to 2^32 - 1. The default is 0. */
  readonly seed?: number;
  /**
   * Whether to return the least and the greatest loss over a number of perturbations. Each of them takes as long as an
   * evaluation.
   */
  readonly interval?: IntervalOptions;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
  /** How many threads compute; 1 by default, which is the calling thread. */
  readonly workers?: WorkersOption;
  /** Stops the evaluation: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

const MOST_DISTURBANCES = 2 ** 16;
/** Rows that fit into the memory of a machine, with one column. */
const MOST_ROWS = 2 ** 28;

const OPTIONS: Readonly<Record<keyof EvaluateOptions, Check>> = {
  rows: isWhole(1, MOST_ROWS),
  loss: isObject,
  cases: isBoolean,
  outputs: isBoolean,
  bounds: isOneOf(["ptx"]),
  seed: isWhole(0, 2 ** 32 - 1),
  interval: isObject,
  webAssembly: isBoolean,
  workers: isWorkers,
  signal: isSignal,
};

const INTERVAL: Readonly<Record<keyof IntervalOptions, Check>> = {
  disturbances: isWhole(1, MOST_DISTURBANCES),
};
const INTERVAL_RULES = { required: ["disturbances"], prefix: "interval." };

/**
 * Evaluates codes on columns: each code on each row. Results have the same bits on all machines and for any number of
 * workers. The event loop gets a turn every few milliseconds; you may change codes and columns as soon as the promise
 * has been returned.
 *
 * @param codes straight-line codes, as `compileToCode` of a compiler or `parseStub` appends them to a `CodeBuffer`
 * @param columns one column for each input of the codes, all of the same length
 * @throws ColumnsError (as a rejection) BAD_CODE, INVALID_ARGUMENT, INSUFFICIENT_BUFFER, UNSUPPORTED_INSTRUCTION: the
 * error of the first code that has one; WORKER_LOST
 */
export async function evaluateBatch(
  codes: CodeBatch,
  columns: readonly Column[],
  options: EvaluateOptions = {},
): Promise<BatchResult> {
  const taken = readOptions<EvaluateOptions>(options, OPTIONS);
  const { signal, cases = false, outputs = false, bounds } = taken;
  const interval =
    taken.interval === undefined
      ? undefined
      : readOptions<IntervalOptions>(taken.interval, INTERVAL, INTERVAL_RULES);
  signal?.throwIfAborted();
  const { batch, loss, ...data } = readData(codes, columns, taken);
  for (const [option, isGiven] of [
    ["cases", cases],
    ["interval", interval !== undefined],
  ] as const) {
    if (isGiven && loss === undefined) throw missing("a loss", option);
  }
  if (taken.seed !== undefined && bounds === undefined && interval === undefined) {
    throw missing("`bounds` or `interval`", "seed");
  }
  const { seed = 0 } = taken;
  const task: Task = { rows: data.rows, columns: data.columns, loss, longest: batch.longest };
  const scaled = loss?.kernel === LossKernel.scaled;
  const wanted = { loss: loss !== undefined, scaled, cases, outputs };
  const evaluate = evaluator(task, batch, taken, interval !== undefined);
  const results = await evaluate(wanted, bounds === undefined ? undefined : seed);
  if (interval === undefined) return batchResult(results, data.rows, undefined);
  const { intervalOf } = await import("../bounds/interval.js");
  const spread = await intervalOf(seed, interval.disturbances, (each) =>
    evaluate({ loss: true, scaled, cases: false, outputs: false }, each),
  );
  return batchResult(results, data.rows, spread);
}

const missing = (expected: string, option: string): ColumnsError =>
  new ColumnsError("INVALID_ARGUMENT", `expected ${expected} with \`${option}\`, found none`);

type Evaluator = (wanted: WantedResults, seed: number | undefined) => Promise<Results>;

/** A function that evaluates codes: in workers or in this thread; more than once if it `repeats`. */
function evaluator(task: Task, codes: Codes, options: EvaluateOptions, repeats: boolean): Evaluator {
  const { webAssembly = true, signal } = options;
  const workers = workersOf(options.workers);
  if (workers !== undefined) {
    const [job, batch] = copied([task, codes] as const, SharedArrayBuffer);
    return async (wanted, seed) => {
      const results = makeResults(batch, task.rows, wanted, SharedArrayBuffer);
      const data = { task: { ...job, seed }, codes: batch, results, webAssembly };
      await workers.run("evaluate", data, runShare, { signal });
      return results;
    };
  }
  // The caller may change the columns and codes after the first evaluation.
  const [job, batch] = repeats ? copied([task, codes] as const) : [task, codes];
  let until = performance.now() + TURN;
  return async (wanted, seed) => {
    // Many short evaluations together take as long as a long one.
    if (repeats && performance.now() >= until) {
      await turn();
      signal?.throwIfAborted();
      until = performance.now() + TURN;
    }
    const results = makeResults(batch, task.rows, wanted, ArrayBuffer);
    await evaluateHere(seed === undefined ? job : { ...job, seed }, batch, results, webAssembly, signal);
    return results;
  };
}

/** Evaluates codes in this thread. */
async function evaluateHere(
  task: Task,
  codes: Codes,
  results: Results,
  webAssembly: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  let loan = borrowLoadedMachine(webAssembly);
  let batch = codes;
  // The caller may change the columns whenever this waits, and later if the machine does not copy them.
  const keeps = loan?.machine.copiesColumns === true;
  const job = keeps ? task : copied(task);
  if (loan === undefined) {
    batch = copied(codes);
    loan = await borrowMachine(webAssembly);
  }
  const { machine, giveBack } = loan;
  try {
    for (let first = 0; ; ) {
      first = machine.run(job, batch, first, codes.count, results, performance.now() + TURN);
      if (first === codes.count) return;
      // From now on the caller may change the codes.
      if (batch === codes) batch = copied(codes);
      // Kernels of less common operations are loaded when a code has one.
      if (machine.lacksKernels) await machine.load();
      else await turn();
      signal?.throwIfAborted();
    }
  } finally {
    giveBack();
  }
}
