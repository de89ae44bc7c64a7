// Whether a group of four threads may carry out the atomic operations of a segment one operation at a time: all threads
// in turn, and then the next operation. The results and the final memory have to be as if each thread had run the
// segment before the next thread.
import type { Graph } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import { forEachStep } from "../../control/registers.js";
import type { Step } from "../../control/step.js";

/** @param isLooped whether a block is in a loop */
export function keepsOrder(
  graph: Graph,
  { order }: FlowOrder,
  isLooped: (block: number) => boolean,
): boolean {
  const found: Step[] = [];
  let isRepeated = false;
  for (const block of order) {
    for (const step of graph.blocks[block]!.steps) {
      if (!step.operation.traits.atomic) continue;
      found.push(step);
      isRepeated ||= isLooped(block);
    }
  }
  if (found.length === 0 || (found.length === 1 && !isRepeated)) return true;
  const [kind] = found.map(commutingKind);
  return kind !== undefined && found.every((step) => commutingKind(step) === kind) && !areRead(graph, found);
}

function commutingKind({ operation: { traits, types } }: Step): string | undefined {
  return traits.commutes && `${traits.commutes} ${types[0]!}`;
}

/** Whether anything reads the results of atomic operations. */
function areRead(graph: Graph, atomics: readonly Step[]): boolean {
  const written = new Set(atomics.flatMap(({ writes }) => writes));
  let isRead = false;
  forEachStep(graph, (step) => {
    if (!atomics.includes(step)) isRead ||= step.reads.some((register) => written.has(register));
  });
  return isRead;
}
