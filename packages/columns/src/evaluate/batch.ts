// Evaluates a batch of codes on columns of data.
import type { CodeBatch } from "@mm-ptx/types/code";
import { type Check, isAnything, isBoolean, isSignal, isWhole } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { LossKernel } from "../machine/kernels.js";
import { borrowLoadedMachine, borrowMachine } from "../machine/loans.js";
import type { Results, Task } from "../machine/machine.js";
import { isWorkers, type WorkersOption, workersOf } from "../workers/option.js";
import { type Codes, copyOf, readCodes } from "./codes.js";
import { type Column, readColumns } from "./columns.js";
import { type Loss, readLoss } from "./loss.js";
import { readOptions } from "./options.js";
import { type BatchResult, batchResult, makeResults } from "./results.js";
import { sharedCodes, sharedTask } from "./share.js";
import { TURN, turn } from "./turn.js";

/** What `evaluateBatch` computes. */
export interface EvaluateOptions {
  /** The number of rows, which is needed when there are no columns. */
  readonly rows?: number;
  /** What to compare one output of each code with. */
  readonly loss?: Loss;
  /** Whether to return what each row adds to the loss, which then has to be given: 8 bytes a row for each code. */
  readonly cases?: boolean;
  /** Whether to return all outputs of all codes: 4 or 8 bytes a row for each. */
  readonly outputs?: boolean;
  /** `false` computes in JavaScript, which is also the fallback where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
  /** How many threads compute; 1 by default, which is the calling thread. */
  readonly workers?: WorkersOption;
  /** Stops the evaluation: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Rows that fit into the memory of a machine, with one column. */
const MOST_ROWS = 2 ** 28;

const OPTIONS: Readonly<Record<keyof EvaluateOptions, Check>> = {
  rows: isWhole(1, MOST_ROWS),
  loss: isAnything,
  cases: isBoolean,
  outputs: isBoolean,
  webAssembly: isBoolean,
  workers: isWorkers,
  signal: isSignal,
};

/**
 * Evaluates codes on columns: each code on each row. Results have the same bits on all machines and for any number of workers. The event loop gets a turn every few
 * milliseconds; codes and columns may change as soon as the promise is there.
 *
 * @param codes straight-line codes, as `compileToCode` of a compiler or `parseStub` appends them to a `CodeBuffer`
 * @param columns one column for each input of the codes, all of the same length
 * @throws ColumnsError (as a rejection) BAD_CODE, INVALID_ARGUMENT, INSUFFICIENT_BUFFER, UNSUPPORTED_INSTRUCTION: that of the first
 * code that has an error; WORKER_LOST
 */
export async function evaluateBatch(
  codes: CodeBatch,
  columns: readonly Column[],
  options: EvaluateOptions = {},
): Promise<BatchResult> {
  const taken = readOptions<EvaluateOptions>(options, OPTIONS);
  const { signal, cases = false, outputs = false, webAssembly = true } = taken;
  signal?.throwIfAborted();
  const batch = readCodes(codes);
  const data = readColumns(columns, taken.rows);
  const loss = taken.loss === undefined ? undefined : readLoss(taken.loss, data.rows);
  if (cases && loss === undefined) {
    throw new ColumnsError("INVALID_ARGUMENT", "expected a loss with `cases`, found none");
  }
  const task: Task = { rows: data.rows, columns: data.columns, loss, longest: batch.longest };
  const scaled = loss?.kernel === LossKernel.scaled;
  const wanted = { loss: loss !== undefined, scaled, cases, outputs };
  const workers = workersOf(taken.workers);
  const make = (bytes: number): ArrayBufferLike =>
    workers === undefined ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
  const results = makeResults(batch, data.rows, wanted, make);
  if (workers === undefined) await evaluateHere(task, batch, results, webAssembly, signal);
  else {
    const shared = { task: sharedTask(task), codes: sharedCodes(batch), results, webAssembly };
    await workers.run("evaluate", shared, { signal });
  }
  return batchResult(results, data.rows);
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
  const job = keeps ? task : { ...task, columns: task.columns.map(copyOfColumn) };
  if (loan === undefined) {
    batch = copyOf(codes);
    loan = await borrowMachine(webAssembly);
  }
  const { machine, giveBack } = loan;
  try {
    for (let first = 0; ; ) {
      first = machine.run(job, batch, first, codes.count, results, performance.now() + TURN);
      if (first === codes.count) return;
      // From now on the caller may change the codes.
      if (batch === codes) batch = copyOf(codes);
      // Kernels of less common operations are loaded when a code has one.
      if (machine.lacksKernels) await machine.load();
      else await turn();
      signal?.throwIfAborted();
    }
  } finally {
    giveBack();
  }
}

const copyOfColumn = ({ bytes, ...rest }: Task["columns"][number]): Task["columns"][number] => ({
  bytes: bytes.slice(),
  ...rest,
});
