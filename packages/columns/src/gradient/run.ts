// Computes derivatives, or fits constants, for all codes of a batch in this thread.
import { type Codes, copyOf } from "../evaluate/codes.js";
import { TURN, turn } from "../evaluate/turn.js";
import type { FitPlan, FitResults } from "../machine/derivatives.js";
import { borrowMachine } from "../machine/loans.js";
import type { Task } from "../machine/machine.js";

/** Room for the results of a batch. A constant takes at least two words. */
export function makeFitResults({ count, words }: Codes, wanted: "constants" | "derivatives"): FitResults {
  const most = words.length >>> 1;
  return {
    status: new Uint8Array(count),
    loss: new Float64Array(count),
    lossBefore: new Float64Array(count),
    evaluations: new Uint32Array(count),
    offsets: new Uint32Array(count + 1),
    constants: wanted === "constants" ? new Uint32Array(most) : undefined,
    derivatives: wanted === "derivatives" ? new Float64Array(most) : undefined,
  };
}

/** @throws ColumnsError like `run` of a machine */
export async function runPlan(
  task: Task,
  plan: FitPlan,
  codes: Codes,
  results: FitResults,
  webAssembly: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Loading takes a while, in which the caller may change everything.
  const batch = copyOf(codes);
  const job: Task = {
    ...task,
    columns: task.columns.map(({ bytes, ...rest }) => ({ bytes: bytes.slice(), ...rest })),
  };
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    const derivatives = await machine.derivatives();
    signal?.throwIfAborted();
    for (let first = 0; ; ) {
      first = derivatives.run(job, plan, batch, first, codes.count, results, performance.now() + TURN);
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
