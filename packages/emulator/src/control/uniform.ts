// How far the values of registers are apart in neighbouring threads while the threads of a block wait together: what is
// computed from values with known distances, at places to which neighbours come by the same way (Karrenberg and Hack,
// Whole-Function Vectorization, 2011).
import { ANY, Distances } from "./distances.js";
import { isKernelParameter } from "./facts.js";
import { type Block, type Graph, type Step, successors } from "./graph.js";
import { following } from "./liveness.js";
import { flowOrder } from "./order.js";
import { CARRY } from "./registers.js";

const READING = new Set(["ld", "ldu", "atom", "call"]);

/**
 * Distances that hold wherever threads wait, or come from conversions to 64 bits of values that came around in 32: then the
 * last of four neighbours is not where it should be.
 *
 * @param isUniform whether a special register is the same for all threads of a block
 */
export function waitingDistances(graph: Graph, isUniform: (name: string) => boolean): Distances {
  const { blocks } = graph;
  const distances = new Distances(graph.registerTypes.length, isUniform);
  if (graph.waits.length === 0) return distances;
  distances.join(CARRY, ANY);
  const regionOf = divergentRegions(graph);
  /** Blocks that neighbours may come to by different ways. */
  const divergent = new Uint8Array(blocks.length);
  const visit = (step: Step, block: number): boolean => {
    const isRead = READING.has(step.source.name) && !isKernelParameter(step);
    if (divergent[block] === 1 || isRead) return distances.joinAll(step.writes, ANY);
    return distances.visit(step, false);
  };
  const propagate = () => {
    for (let changed = true; changed; ) {
      changed = false;
      blocks.forEach(({ steps, end }, block) => {
        for (const step of steps) if (step.writes.length > 0 && visit(step, block)) changed = true;
        if (end.kind === "wait" && distances.joinAll(end.step.writes, ANY)) changed = true;
      });
    }
  };
  const seen = new Uint8Array(blocks.length);
  for (let changed = true; changed; ) {
    changed = false;
    propagate();
    blocks.forEach(({ end }, block) => {
      if (seen[block] === 1 || (end.kind !== "branch" && end.kind !== "switch")) return;
      if (end.step.reads.every((register) => distances.of(register) === 0)) return;
      seen[block] = 1;
      changed = true;
      for (const inside of regionOf(block)) divergent[inside] = 1;
    });
  }
  return distances;
}

/**
 * From a block with a branch to all blocks between it and the place where its ways meet again; to all behind it where a
 * thread may wait in between, and meet others there that have gone around a loop since.
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

/** Blocks that one's branch leads to, up to another. */
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
