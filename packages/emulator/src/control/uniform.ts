// Computes the strides of registers between neighbouring threads while the threads of a block wait together. They are
// known for values that are computed from known strides in blocks that neighbours reach on the same path (Karrenberg
// and Hack, Whole-Function Vectorization, 2011).

import { isKernelParameter } from "./facts.js";
import { type Block, type Graph, successors } from "./graph.js";
import { ANY, LaneStrides } from "./lane-strides.js";
import { following } from "./liveness.js";
import { flowOrder } from "./order.js";
import { CARRY } from "./registers.js";
import type { Step } from "./step.js";

/**
 * Returns strides that hold wherever threads wait. The exception is values that were widened to 64 bits after they
 * wrapped around in 32: there the last of four neighbours does not have the value that the stride predicts.
 *
 * @param isUniform whether a special register is the same for all threads of a block
 */
export function stridesAtWaits(graph: Graph, isUniform: (name: string) => boolean): LaneStrides {
  const { blocks } = graph;
  const strides = new LaneStrides(graph.registerTypes.length, isUniform);
  if (graph.waits.length === 0) return strides;
  strides.join(CARRY, ANY);
  const regionOf = divergentRegions(graph);
  /** Blocks that neighbours may reach on different paths. */
  const divergent = new Uint8Array(blocks.length);
  const visit = (step: Step, block: number): boolean => {
    const isRead = step.operation.traits.reads && !isKernelParameter(step);
    if (divergent[block] === 1 || isRead) return strides.joinAll(step.writes, ANY);
    return strides.visit(step, false);
  };
  const propagate = () => {
    for (let changed = true; changed; ) {
      changed = false;
      blocks.forEach(({ steps, end }, block) => {
        for (const step of steps) if (step.writes.length > 0 && visit(step, block)) changed = true;
        if (end.kind === "wait" && strides.joinAll(end.step.writes, ANY)) changed = true;
      });
    }
  };
  const seen = new Uint8Array(blocks.length);
  for (let changed = true; changed; ) {
    changed = false;
    propagate();
    blocks.forEach(({ end }, block) => {
      if (seen[block] === 1 || (end.kind !== "branch" && end.kind !== "switch")) return;
      if (end.step.reads.every((register) => strides.of(register) === 0)) return;
      seen[block] = 1;
      changed = true;
      for (const inside of regionOf(block)) divergent[inside] = 1;
    });
  }
  return strides;
}

/**
 * Returns, for a block with a branch, all blocks between it and the point where its paths join again. If a thread may
 * wait in between, where it can meet threads that have gone around a loop since, these are all blocks that follow.
 */
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
    const inside = reachable(blocks, block, meeting);
    return [...inside].some((each) => blocks[each]!.end.kind === "wait")
      ? reachable(blocks, block, exit)
      : inside;
  };
}

/** The blocks reachable from a block's branch, up to `end`. */
function reachable(blocks: readonly Block[], from: number, end: number): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [...successors(blocks[from]!.end)];
  while (open.length > 0) {
    const next = open.pop()!;
    if (next === end || found.has(next)) continue;
    found.add(next);
    open.push(...following(blocks[next]!));
  }
  return found;
}
