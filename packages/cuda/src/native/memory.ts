// How much memory a process that compiles may have.

import { totalmem } from "node:os";

const GIB = 2 ** 30;

/** The least limit that can be set: a process that has done nothing yet has some 20 MB. */
export const LEAST_MEMORY = 64 * 2 ** 20;

/** Bytes for each of some workers: an equal share of the machine's memory for them and for this process, at least 1 GiB. */
export function memoryShare(workers: number): number {
  return Math.max(GIB, Math.floor(machineMemory() / (workers + 1)));
}

/** What this process may use, which a container may limit. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
