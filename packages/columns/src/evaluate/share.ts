// A worker's share of a batch.

import { TURN } from "@mm-ptx/types/internal";
import { borrowMachine } from "../machine/loans.js";
import type { Results, Task } from "../machine/machine.js";
import type { Share } from "../workers/share.js";
import type { Codes } from "./codes.js";

/** A batch in shared memory. */
export interface SharedBatch {
  readonly task: Task;
  readonly codes: Codes;
  readonly results: Results;
  readonly webAssembly: boolean;
}

/** The most codes to take at a time. */
const MOST_CODES = 1024;

export async function runShare(
  { task, codes, results, webAssembly }: SharedBatch,
  share: Share,
): Promise<void> {
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    await share.each(codes.count, MOST_CODES, async ({ first, end }) => {
      for (let next = first; next < end && !share.isStopped; ) {
        next = machine.run(task, codes, next, end, results, performance.now() + TURN);
        if (machine.lacksKernels) await machine.load();
        else await share.pause();
      }
    });
  } finally {
    giveBack();
  }
}
