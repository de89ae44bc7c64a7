// What JavaScript computes for translated code. Most kernels need none of it: the first that does loads it.
import type { Step } from "../control/graph.js";
import { isWarpOperation } from "./rounds.js";

export type Host = typeof import("./host-functions.js");

/**
 * @param foreign the steps that are not translated
 * @param steps all of the kernel and of what it calls
 * @param waits the steps at which threads wait
 */
export async function hostFor(
  foreign: ReadonlyMap<string, Step>,
  steps: readonly Step[],
  waits: readonly Step[],
): Promise<Host | undefined> {
  const callsBuiltIn = steps.some(({ source }) => source.call?.callee.kind === "builtin");
  const isNeeded = foreign.size > 0 || callsBuiltIn || waits.some(isWarpOperation);
  return isNeeded ? await import("./host-functions.js") : undefined;
}
