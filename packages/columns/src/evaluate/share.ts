// A worker's share of a batch.

import { TURN } from "@mm-ptx/types/internal";
import { borrowMachine } from "../machine/loans.js";
import type { Results, Task } from "../machine/machine.js";
import type { Share } from "../workers/share.js";
import { sharedCopy } from "../workers/shared.js";
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

/** A task whose columns threads share. */
export function sharedTask({ columns, loss, ...rest }: Task): Task {
  const share = <Kind extends Float64Array | BigUint64Array | undefined>(array: Kind): Kind =>
    array && (sharedCopy(array) as Kind);
  return {
    ...rest,
    columns: columns.map(({ bytes, ...column }) => ({ ...column, bytes: sharedCopy(bytes) })),
    loss: loss && { ...loss, target: share(loss.target), weights: share(loss.weights) },
  };
}

/** Codes that threads share. */
export const sharedCodes = ({ words, offsets, ...rest }: Codes): Codes => ({
  ...rest,
  words: sharedCopy(words),
  offsets: sharedCopy(offsets),
});

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
