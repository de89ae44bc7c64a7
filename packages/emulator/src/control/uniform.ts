// Which registers have the same value in all threads of a block, as long as the block's threads wait together: those that are
// computed from such registers, at places to which threads come by the same way (Karrenberg and Hack, Whole-Function
// Vectorization, 2011).
import { isKernelParameter } from "./facts.js";
import { type Graph, type Step, successors } from "./graph.js";
import { following } from "./liveness.js";
import { flowOrder } from "./order.js";
import { CARRY } from "./registers.js";

/**
 * @param defined the steps that write each register
 * @param isUniform whether a special register is the same for all threads of a block
 */
export function uniformRegisters(
  graph: Graph,
  defined: readonly (readonly Step[])[],
  isUniform: (name: string) => boolean,
): Uint8Array {
  const { blocks } = graph;
  const uniform = new Uint8Array(graph.registerTypes.length).fill(1);
  uniform[CARRY] = 0;
  const blockOf = new Map<Step, number>();
  blocks.forEach(({ steps, end }, block) => {
    for (const step of steps) blockOf.set(step, block);
    if (end.kind === "wait") blockOf.set(end.step, block);
  });
  const waits = new Set(graph.waits.map(({ step }) => step));
  const regionOf = divergentRegions(graph);
  /** Blocks that threads may come to by different ways. */
  const divergent = new Uint8Array(blocks.length);
  const isUniformStep = (step: Step): boolean => {
    const block = blockOf.get(step);
    if (waits.has(step) || block === undefined || divergent[block] === 1) return false;
    const { name, operands } = step.source;
    if (/^(ld|ldu|atom|call)$/.test(name) && !isKernelParameter(step)) return false;
    return (
      step.reads.every((register) => uniform[register] === 1) &&
      operands.every((operand) => operand.kind !== "special" || isUniform(operand.name))
    );
  };
  const seen = new Uint8Array(blocks.length);
  for (let changed = true; changed; ) {
    changed = false;
    defined.forEach((steps, register) => {
      if (uniform[register] === 0 || steps.every(isUniformStep)) return;
      uniform[register] = 0;
      changed = true;
    });
    blocks.forEach(({ end }, block) => {
      if (seen[block] === 1 || (end.kind !== "branch" && end.kind !== "switch")) return;
      if (end.step.reads.every((register) => uniform[register] === 1)) return;
      seen[block] = 1;
      changed = true;
      for (const inside of regionOf(block)) divergent[inside] = 1;
    });
  }
  return uniform;
}

/** From a block with a branch to all blocks between it and the place where its ways meet again. */
function divergentRegions({ blocks }: Graph): (block: number) => Iterable<number> {
  const exit = blocks.length;
  const before: number[][] = Array.from({ length: blocks.length + 1 }, () => []);
  blocks.forEach((block, i) => {
    if (block.end.kind === "exit") before[exit]!.push(i);
    for (const next of following(block)) before[next]!.push(i);
  });
  const { order, place, dominator } = flowOrder(exit, blocks.length + 1, (block) => before[block]!);
  return (block) => {
    const at = place[block]!;
    const meeting = at < 0 ? exit : order[dominator[at]!]!;
    const inside = new Set<number>();
    const waiting = [...successors(blocks[block]!.end)];
    while (waiting.length > 0) {
      const next = waiting.pop()!;
      if (next === meeting || inside.has(next)) continue;
      inside.add(next);
      waiting.push(...following(blocks[next]!));
    }
    return inside;
  };
}
