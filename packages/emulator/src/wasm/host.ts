// Loads the JavaScript functions that compute what is not translated. Most kernels do not need them, so they are loaded
// on first use.
import type { Step } from "../control/step.js";
import { waitKind } from "../control/waits.js";

export type Host = typeof import("./host-functions.js");

/**
 * @param foreign the steps that are not translated
 * @param steps all steps of the kernel and of the functions that it calls
 * @param waits the steps at which threads wait
 */
export async function hostFor(
  foreign: ReadonlyMap<string, Step>,
  steps: readonly Step[],
  waits: readonly Step[],
): Promise<Host | undefined> {
  const callsBuiltIn = steps.some(({ source }) => source.call?.callee.kind === "builtin");
  const isNeeded =
    foreign.size > 0 ||
    callsBuiltIn ||
    steps.some(({ operation }) => operation.traits.procedure) ||
    waits.some((wait) => waitKind(wait) === "warp" || waitKind(wait) === "phase");
  return isNeeded ? await import("./host-functions.js") : undefined;
}
