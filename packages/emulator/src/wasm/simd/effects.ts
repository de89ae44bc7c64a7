// How far a segment can be started over thread by thread: as long as nothing was written that another thread, or the
// thread itself, could see.
import type { Graph } from "../../control/graph.js";
import { successors } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import type { Step } from "../../control/step.js";

/** Whether a step has an effect that others could see. */
export const isLasting = ({ operation: { traits } }: Step): boolean =>
  traits.writes || traits.flow === "trap";

/** Where a group can still give up in a segment. */
export interface Chances {
  /** Whether no path from the segment's beginning to a step, if there is one, has had a lasting effect. */
  readonly at: (step: Step) => boolean;
  /**
   * Blocks at whose ends a group has its last chance to give up, or a loop continues. Pending doubts have to be checked
   * there.
   */
  readonly lastAtEnd: ReadonlySet<number>;
}

export function chancesIn({ blocks }: Graph, { order, place }: FlowOrder): Chances {
  const late = new Uint8Array(blocks.length);
  const walk = (block: number, visit: (step: Step) => void): boolean => {
    let isLate = late[block] === 1;
    const { steps, end } = blocks[block]!;
    steps.forEach((step) => {
      if (isLate) visit(step);
      else isLate = isLasting(step);
    });
    if ("step" in end && isLate) visit(end.step);
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
  const lateSteps = new Set<Step>();
  const lastAtEnd = new Set<number>();
  for (const block of order) {
    if (walk(block, (step) => lateSteps.add(step))) continue;
    const targets = successors(blocks[block]!.end);
    const isLast = targets.some((next) => late[next] === 1 || place[next]! <= place[block]!);
    if (isLast || targets.length === 0) lastAtEnd.add(block);
  }
  return { at: (step) => !lateSteps.has(step), lastAtEnd };
}
