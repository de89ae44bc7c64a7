// Up to where a segment can be begun anew, thread by thread: as long as nothing was written that another thread, or the
// thread itself, could see.
import type { Graph, Step } from "../../control/graph.js";
import { successors } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";

const LASTING = new Set(["st", "red", "atom", "call", "cp", "trap"]);

/** Steps before which, on every way from the segment's beginning, nothing lasting was done. */
export function mayGiveUp({ blocks }: Graph, { order }: FlowOrder): ReadonlySet<Step> {
  const late = new Uint8Array(blocks.length);
  const found = new Set<Step>();
  const walk = (block: number, visit: (step: Step) => void): boolean => {
    let isLate = late[block] === 1;
    const { steps, end } = blocks[block]!;
    steps.forEach((step) => {
      if (!isLate) visit(step);
      if (LASTING.has(step.source.name)) isLate = true;
    });
    if ("step" in end && !isLate) visit(end.step);
    return isLate;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      if (!walk(block, () => {})) continue;
      for (const next of successors(blocks[block]!.end)) {
        if (late[next] === 1) continue;
        late[next] = 1;
        changed = true;
      }
    }
  }
  for (const block of order) walk(block, (step) => found.add(step));
  return found;
}
