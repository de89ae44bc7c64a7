// Computes derivatives, or fits constants, for all codes of a batch: in this thread or in workers.

import { TURN, turn } from "@mm-ptx/types/internal";
import type { Codes } from "../evaluate/codes.js";
import { type FitPlan, type FitResults, roomOf } from "../machine/derivatives.js";
import { borrowMachine } from "../machine/loans.js";
import type { Task } from "../machine/machine.js";
import { type WorkersOption, workersOf } from "../workers/option.js";
import { type BufferKind, copied } from "../workers/shared.js";
import { runShare } from "./share.js";

/** Options of `runPlan`. */
export interface RunOptions {
  readonly webAssembly?: boolean;
  readonly workers?: WorkersOption;
  readonly signal?: AbortSignal;
}

type Wanted = "constants" | "derivatives";

/** Room for the results of a batch. */
function makeResults({ count, words }: Codes, wanted: Wanted, Buffer: BufferKind): FitResults {
  const most = words.length >>> 1;
  return {
    status: new Uint8Array(new Buffer(count)),
    loss: new Float64Array(new Buffer(count * 8)),
    lossBefore: new Float64Array(new Buffer(count * 8)),
    evaluations: new Uint32Array(new Buffer(count * 4)),
    counts: new Uint32Array(new Buffer(count * 4)),
    constants: wanted === "constants" ? new Uint32Array(new Buffer(most * 4)) : undefined,
    derivatives: wanted === "derivatives" ? new Float64Array(new Buffer(most * 8)) : undefined,
  };
}

/** Runs a plan. @throws ColumnsError like `run` of a machine; WORKER_LOST */
export async function runPlan(
  task: Task,
  plan: FitPlan,
  codes: Codes,
  wanted: Wanted,
  { webAssembly = true, workers: option, signal }: RunOptions,
): Promise<FitResults> {
  const workers = workersOf(option);
  if (workers === undefined) {
    const results = makeResults(codes, wanted, ArrayBuffer);
    await runHere(task, plan, codes, results, webAssembly, signal);
    return results;
  }
  const batch = copied(codes, SharedArrayBuffer);
  const results = makeResults(batch, wanted, SharedArrayBuffer);
  const data = { task: copied(task, SharedArrayBuffer), plan, codes: batch, results, webAssembly };
  await workers.run("fit", data, runShare, { signal });
  // The caller's arrays are not shared.
  return {
    ...results,
    status: results.status.slice(),
    loss: results.loss.slice(),
    lossBefore: results.lossBefore.slice(),
    evaluations: results.evaluations.slice(),
  };
}

async function runHere(
  task: Task,
  plan: FitPlan,
  codes: Codes,
  results: FitResults,
  webAssembly: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Loading takes a while, in which the caller may change the columns.
  const columns = task.columns.map(({ bytes, ...rest }) => ({ bytes: bytes.slice(), ...rest }));
  const job: Task = { ...task, columns };
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    const derivatives = await machine.derivatives();
    signal?.throwIfAborted();
    for (let first = 0; ; ) {
      first = derivatives.run(job, plan, codes, first, codes.count, results, performance.now() + TURN);
      if (first === codes.count) return;
      // Kernels of less common operations are loaded when a code has one.
      if (machine.lacksKernels) await machine.load();
      else await turn();
      signal?.throwIfAborted();
    }
  } finally {
    giveBack();
  }
}

/** The offsets of each code's constants when they are stored contiguously, and their end. */
export function offsetsOf({ counts }: FitResults): Uint32Array {
  const offsets = new Uint32Array(counts.length + 1);
  for (let code = 0; code < counts.length; code++) offsets[code + 1] = offsets[code]! + counts[code]!;
  return offsets;
}

/** Moves the values of constants out of their rooms, so that they are contiguous. */
export function compact<Numbers extends Uint32Array | Float64Array>(
  from: Numbers,
  to: Numbers,
  codes: Codes,
  offsets: Uint32Array,
): Numbers {
  for (let code = 0; code < codes.count; code++) {
    const start = offsets[code]!;
    const room = roomOf(codes, code);
    const count = offsets[code + 1]! - start;
    for (let k = 0; k < count; k++) to[start + k] = from[room + k]!;
  }
  return to;
}
