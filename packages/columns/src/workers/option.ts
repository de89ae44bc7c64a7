// The option `workers` of functions that can use threads.
import { type Check, isWhole, unexpected } from "@mm-ptx/types/internal";
import { ColumnWorkers, MOST_WORKERS } from "./column-workers.js";
import { canShare } from "./shared.js";

/**
 * How many threads compute. A number from 2 on starts threads that the package keeps for later calls until
 * `endWorkers`; 1 computes in the calling thread. `ColumnWorkers` are threads of your own. Where there are no threads
 * that share memory, as in pages that are not cross-origin isolated, the calling thread always computes. Results are
 * the same.
 */
export type WorkersOption = number | ColumnWorkers;

const isCount = isWhole(1, MOST_WORKERS);

export const isWorkers: Check = (value, name) => {
  if (value instanceof ColumnWorkers) return undefined;
  return typeof value === "number"
    ? isCount(value, name)
    : unexpected(name, `a number or an object of ColumnWorkers`, value);
};

/** The threads that the package keeps, by their number. */
const kept = new Map<number, ColumnWorkers>();

/** The workers of a call, or `undefined` if the calling thread computes. */
export function workersOf(option: WorkersOption = 1): ColumnWorkers | undefined {
  if (option === 1 || !canShare()) return undefined;
  if (typeof option !== "number") return option;
  let workers = kept.get(option);
  if (workers === undefined) {
    workers = new ColumnWorkers({ count: option });
    kept.set(option, workers);
  }
  return workers;
}

/** Ends the threads that calls with `workers` as a number have started. Calls that use them fail; later ones start new threads. */
export function endWorkers(): void {
  for (const workers of kept.values()) workers.dispose();
  kept.clear();
}
