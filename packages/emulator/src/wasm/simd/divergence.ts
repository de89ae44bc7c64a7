// Branches at which neighbouring threads may diverge when it is too late for their group to start over: after a store,
// or at the end of a loop. Each gets a separate block, from which diverging threads continue one by one.

import { type Graph, successors } from "../../control/graph.js";
import { LaneStrides } from "../../control/lane-strides.js";
import { flowOrder } from "../../control/order.js";
import { forEachStep } from "../../control/registers.js";
import { isTurn } from "../../control/turns.js";
import { BLOCK_UNIFORM } from "../emit/special.js";
import { keepsOrder } from "./atomics.js";
import { chancesIn } from "./effects.js";
import { isDoneAlone } from "./group-steps.js";
import { loopsOf } from "./loops.js";

/**
 * Limits on the blocks of a graph, and on the steps of a segment's functions for single threads. Larger ones are left
 * as they are.
 */
const MOST_BLOCKS = 200;
const MOST_STEPS = 2000;

/** A graph with the blocks from which threads may continue one by one. */
export interface DivergenceGraph {
  readonly graph: Graph;
  readonly divergencePoints: ReadonlySet<number>;
}

/** @param entries the blocks with which segments begin */
export function withDivergencePoints(graph: Graph, entries: readonly number[]): DivergenceGraph {
  const divergencePoints = new Set<number>();
  if (graph.blocks.length > MOST_BLOCKS || graph.waits.some(({ step }) => isTurn(step)))
    return { graph, divergencePoints };
  const isUniform = uniformRegisters(graph);
  const blocks = [...graph.blocks];
  for (const block of new Set(entries.flatMap((entry) => divergentBranches(graph, entry, isUniform)))) {
    const { context, steps, end } = blocks[block]!;
    if (steps.length === 0 || end.kind !== "branch") divergencePoints.add(block);
    else {
      const added = blocks.push({ context, first: end.step.index, steps: [], end }) - 1;
      blocks[block] = { ...blocks[block]!, end: { kind: "jump", target: added } };
      divergencePoints.add(added);
    }
  }
  return { graph: { ...graph, blocks }, divergencePoints };
}

/** Returns whether a register is known to hold the same value in neighbours that took the same path. */
function uniformRegisters(graph: Graph): (register: number) => boolean {
  const strides = new LaneStrides(graph.registerTypes.length, (name) => BLOCK_UNIFORM.has(name));
  for (let changed = true; changed; ) {
    changed = false;
    forEachStep(graph, (step) => {
      if (step.writes.length > 0 && strides.visit(step, false)) changed = true;
    });
  }
  return (register) => strides.of(register) === 0;
}

/** The divergent branches of a segment, if groups can run through it except for these. */
function divergentBranches(
  graph: Graph,
  entry: number,
  isUniform: (register: number) => boolean,
): readonly number[] {
  const { blocks } = graph;
  const flow = flowOrder(entry, blocks.length, (block) => successors(blocks[block]!.end));
  const { isLooped, leavesLoop } = loopsOf(flow, (block) => successors(blocks[block]!.end));
  if (!keepsOrder(graph, flow, isLooped)) return [];
  const { at: isEarly } = chancesIn(graph, flow);
  const found: number[] = [];
  for (const block of flow.order) {
    const { steps, end } = blocks[block]!;
    if (steps.some(isDoneAlone)) return [];
    if ((end.kind !== "branch" && end.kind !== "switch") || end.step.reads.every(isUniform)) continue;
    if (isEarly(end.step) && !isLooped(block)) continue;
    if (end.kind === "switch" || (isLooped(block) && !leavesLoop(block))) return [];
    found.push(block);
  }
  const steps = flow.order.reduce((sum, block) => sum + blocks[block]!.steps.length, 0);
  return found.length * steps > MOST_STEPS ? [] : found;
}
