// Whether four threads at once may carry out the atomic operations of a segment: each thread in its turn, but one operation
// of all before the next. What they leave and find has to be as if each thread had gone through the segment before the next.
import type { Graph, Step } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import { forEachStep } from "../../control/registers.js";

const isAtomic = ({ source: { name } }: Step): boolean => name === "atom" || name === "red";

/** Operations on whole numbers that come to the same in any order. */
const COMMUTING = ["add", "and", "or", "xor", "min", "max"] as const;
const WHOLE = new Set(["u32", "s32", "b32", "u64", "s64", "b64"]);

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
      if (!isAtomic(step)) continue;
      found.push(step);
      isRepeated ||= isLooped(block);
    }
  }
  if (found.length === 0 || (found.length === 1 && !isRepeated)) return true;
  const [kind] = found.map(commutingKind);
  return kind !== undefined && found.every((step) => commutingKind(step) === kind) && !areRead(graph, found);
}

function commutingKind({ source, words }: Step): string | undefined {
  const name = COMMUTING.find((one) => words.has(one));
  const type = source.types[0]!;
  return name === undefined || !WHOLE.has(type) ? undefined : `${name} ${type}`;
}

/** Whether anything reads what atomic operations found. */
function areRead(graph: Graph, atomics: readonly Step[]): boolean {
  const written = new Set(atomics.flatMap(({ writes }) => writes));
  let isRead = false;
  forEachStep(graph, (step) => {
    if (!atomics.includes(step)) isRead ||= step.reads.some((register) => written.has(register));
  });
  return isRead;
}
