// Evaluates a batch of codes on columns of data.
import type { CodeBatch } from "@mm-ptx/types/code";
import { type Check, isBoolean, isSignal, isWhole, optionProblem } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import type { Task } from "../machine/machine.js";
import { machineOf } from "../machine/machines.js";
import { checkBatch } from "./codes.js";
import { type Column, readColumns } from "./columns.js";
import { type Loss, readLoss } from "./loss.js";

/** What `evaluateBatch` computes. */
export interface EvaluateOptions {
  /** The number of rows, which is needed when there are no columns. */
  readonly rows?: number;
  /** What to compare one output of each code with. */
  readonly loss?: Loss;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
  /** Stops the evaluation: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The results of a batch. Each array has one entry for each code, in the order of the batch. */
export interface BatchResult {
  /** 0 if the loss is a number, 1 if an output is a NaN or infinite in some row: see `EvaluationStatus`. */
  readonly status: Uint8Array;
  /** The losses; those of codes with another status than 0 are NaN. Without `loss`, `undefined`. */
  readonly loss: Float64Array | undefined;
}

/** What is said about a code: the values of `BatchResult.status`. */
export const EvaluationStatus = {
  /** The loss is a number. */
  ok: 0,
  /** An output is a NaN or infinite in some row. */
  notFinite: 1,
} as const;

/** Lets other tasks run. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });

/** Codes between two looks at the signal and the event loop. */
const TURN_CODES = 4096;
/** Rows that fit into the memory of a machine, with one column. */
const MOST_ROWS = 2 ** 28;

const OPTIONS: Readonly<Record<keyof EvaluateOptions, Check>> = {
  rows: isWhole(1, MOST_ROWS),
  loss: () => undefined,
  webAssembly: isBoolean,
  signal: isSignal,
};

/**
 * Evaluates codes on columns: each code on each row.
 *
 * @param codes straight-line codes, as `compileToCode` of a compiler or `parseStub` appends them to a `CodeBuffer`
 * @param columns one column for each input of the codes, all of the same length
 * @throws ColumnsError (as a rejection) BAD_CODE, INVALID_ARGUMENT, INSUFFICIENT_BUFFER, UNSUPPORTED_INSTRUCTION
 */
export async function evaluateBatch(
  codes: CodeBatch,
  columns: readonly Column[],
  options: EvaluateOptions = {},
): Promise<BatchResult> {
  const problem = optionProblem(options, OPTIONS);
  if (problem !== undefined) throw new ColumnsError("INVALID_ARGUMENT", problem);
  const { signal } = options;
  signal?.throwIfAborted();
  const batch = checkBatch(codes);
  const data = readColumns(columns, options.rows);
  const loss = options.loss === undefined ? undefined : readLoss(options.loss, data.rows);
  const count = batch.offsets.length - 1;
  const task: Task = { rows: data.rows, columns: data.columns, loss, output: undefined };
  const results = {
    status: new Uint8Array(count),
    loss: loss === undefined ? undefined : new Float64Array(count),
  };
  const machine = machineOf(options.webAssembly ?? true);
  for (let first = 0; first < count; ) {
    signal?.throwIfAborted();
    const end = Math.min(count, first + TURN_CODES);
    first = machine.run(task, batch, first, end, results);
    // Kernels of less common operations are loaded when a code has one.
    if (first < end) await machine.load();
    else if (first < count) await turn();
  }
  return results;
}
