// The memory limits of compiling processes.

import { totalmem } from "node:os";

const GIB = 2 ** 30;

/** The lowest limit that can be set; an idle process already uses about 20 MB. */
export const LEAST_MEMORY = 64 * 2 ** 20;

/** Bytes per worker: an equal share of the machine's memory for the workers and this process, at least 1 GiB. */
export function memoryShare(workers: number): number {
  return Math.max(GIB, Math.floor(machineMemory() / (workers + 1)));
}

/** The memory that this process may use, which a container may limit. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
