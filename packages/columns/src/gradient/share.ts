// A worker's share of a batch whose constants are fitted.

import { TURN } from "@mm-ptx/types/internal";
import type { Codes } from "../evaluate/codes.js";
import type { FitPlan, FitResults } from "../machine/derivatives.js";
import { borrowMachine } from "../machine/loans.js";
import type { Task } from "../machine/machine.js";
import type { Share } from "../workers/share.js";

/** A batch in shared memory, and what to do with it. */
export interface SharedFit {
  readonly task: Task;
  readonly plan: FitPlan;
  readonly codes: Codes;
  readonly results: FitResults;
  readonly webAssembly: boolean;
}

/** The most codes to take at a time. */
const MOST_CODES = 256;

export async function runShare(
  { task, plan, codes, results, webAssembly }: SharedFit,
  share: Share,
): Promise<void> {
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    const derivatives = await machine.derivatives();
    await share.each(codes.count, MOST_CODES, async ({ first, end }) => {
      for (let next = first; next < end && !share.isStopped; ) {
        next = derivatives.run(task, plan, codes, next, end, results, performance.now() + TURN);
        if (machine.lacksKernels) await machine.load();
        else await share.pause();
      }
    });
  } finally {
    giveBack();
  }
}
