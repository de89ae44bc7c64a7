// Up to where a segment can be begun anew, thread by thread: as long as nothing was written that another thread, or the
// thread itself, could see.
import type { Graph, Step } from "../../control/graph.js";
import { successors } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";

const LASTING = new Set(["st", "red", "atom", "call", "cp", "trap"]);

/** Whether a step does something that others could see. */
export const isLasting = ({ source }: Step): boolean => LASTING.has(source.name);

/** What can still be given up in a segment. */
export interface Chances {
  /** Steps before which, on every way from the segment's beginning, nothing lasting was done. */
  readonly steps: ReadonlySet<Step>;
  /** Blocks at whose ends it is the last time, or a loop goes on: what is doubtful has to be looked at. */
  readonly lastAtEnd: ReadonlySet<number>;
}

export function chancesIn({ blocks }: Graph, { order, place }: FlowOrder): Chances {
  const late = new Uint8Array(blocks.length);
  const walk = (block: number, visit: (step: Step) => void): boolean => {
    let isLate = late[block] === 1;
    const { steps, end } = blocks[block]!;
    steps.forEach((step) => {
      if (!isLate) visit(step);
      if (isLasting(step)) isLate = true;
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
  const found = new Set<Step>();
  const lastAtEnd = new Set<number>();
  for (const block of order) {
    if (walk(block, (step) => found.add(step))) continue;
    const targets = successors(blocks[block]!.end);
    const isLast = targets.some((next) => late[next] === 1 || place[next]! <= place[block]!);
    if (isLast || targets.length === 0) lastAtEnd.add(block);
  }
  return { steps: found, lastAtEnd };
}
