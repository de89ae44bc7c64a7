// What a site's results decide by branches: which instructions run, and so which values registers have and what is in memory.
import type { Flow, Place } from "./flow.js";
import { accessesOf } from "./memory.js";
import type { Step } from "./steps.js";

/** Whether an instruction is a branch whose way depends on what a site computes. */
function isTaintedBranch(step: Step, flow: Flow): boolean {
  const { name, operands } = step;
  if (name === "brx") return flow.isGuardTainted(step) || flow.isTainted(operands[0] ?? []);
  return (
    (name === "bra" || name === "call" || name === "ret" || name === "exit") && flow.isGuardTainted(step)
  );
}

/**
 * Taints what depends on branches that depend on sites: registers that are set in several places, and memory that is written.
 *
 * @param definitions by node: the number of places where it is set
 * @returns whether anything was added
 */
export function taintByBranches(steps: readonly Step[], flow: Flow, definitions: Uint32Array): void {
  if (!steps.some((step) => isTaintedBranch(step, flow))) return;
  for (const step of steps) {
    for (const access of accessesOf(step) ?? []) {
      const place: Place | undefined = access.written === undefined ? undefined : flow.placeOf(access, step);
      if (place !== undefined) flow.taintPlace(place);
    }
  }
  definitions.forEach((count, node) => {
    if (count > 1) flow.set(node, flow.bases[node]!, true);
  });
}
