// Branches at which neighbouring threads may part where it is too late for their group to begin anew: behind a store, or at
// the end of a loop. Each gets a block of its own, from which threads that part go on one by one.
import { Distances } from "../../control/distances.js";
import { type Graph, successors } from "../../control/graph.js";
import { flowOrder } from "../../control/order.js";
import { forEachStep } from "../../control/registers.js";
import { isTurn } from "../../control/turns.js";
import { BLOCK_UNIFORM } from "../emit/special.js";
import { keepsOrder } from "./atomics.js";
import { chancesIn } from "./effects.js";
import { isDoneAlone } from "./group-steps.js";
import { loopsOf } from "./loops.js";

/** Larger graphs, and segments whose functions for single threads would have more steps, are left as they are. */
const MOST_BLOCKS = 200;
const MOST_STEPS = 2000;

/** A graph with the blocks from which threads may go on one by one. */
export interface PartingGraph {
  readonly graph: Graph;
  readonly partings: ReadonlySet<number>;
}

/** @param entries the blocks with which segments begin */
export function withPartings(graph: Graph, entries: readonly number[]): PartingGraph {
  const partings = new Set<number>();
  if (graph.blocks.length > MOST_BLOCKS || graph.waits.some(({ step }) => isTurn(step)))
    return { graph, partings };
  const isUniform = uniformRegisters(graph);
  const blocks = [...graph.blocks];
  for (const block of new Set(entries.flatMap((entry) => partingBranches(graph, entry, isUniform)))) {
    const { context, steps, end } = blocks[block]!;
    if (steps.length === 0 || end.kind !== "branch") partings.add(block);
    else {
      const added = blocks.push({ context, first: end.step.index, steps: [], end }) - 1;
      blocks[block] = { ...blocks[block]!, end: { kind: "jump", target: added } };
      partings.add(added);
    }
  }
  return { graph: { ...graph, blocks }, partings };
}

/** Whether a register holds one value in neighbours that went the same way, as far as is easily seen. */
function uniformRegisters(graph: Graph): (register: number) => boolean {
  const distances = new Distances(graph.registerTypes.length, (name) => BLOCK_UNIFORM.has(name));
  for (let changed = true; changed; ) {
    changed = false;
    forEachStep(graph, (step) => {
      if (step.writes.length > 0 && distances.visit(step, false)) changed = true;
    });
  }
  return (register) => distances.of(register) === 0;
}

/** Those of a segment, if groups can go through it but for them. */
function partingBranches(
  graph: Graph,
  entry: number,
  isUniform: (register: number) => boolean,
): readonly number[] {
  const { blocks } = graph;
  const flow = flowOrder(entry, blocks.length, (block) => successors(blocks[block]!.end));
  const { isLooped, leavesLoop } = loopsOf(flow, (block) => successors(blocks[block]!.end));
  if (!keepsOrder(graph, flow, isLooped)) return [];
  const { steps: early } = chancesIn(graph, flow);
  const found: number[] = [];
  for (const block of flow.order) {
    const { steps, end } = blocks[block]!;
    if (steps.some(isDoneAlone)) return [];
    if ((end.kind !== "branch" && end.kind !== "switch") || end.step.reads.every(isUniform)) continue;
    if (early.has(end.step) && !isLooped(block)) continue;
    if (end.kind === "switch" || (isLooped(block) && !leavesLoop(block))) return [];
    found.push(block);
  }
  const steps = flow.order.reduce((sum, block) => sum + blocks[block]!.steps.length, 0);
  return found.length * steps > MOST_STEPS ? [] : found;
}
