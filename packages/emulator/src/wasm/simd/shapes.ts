// What a register holds in four neighbouring threads, in one segment: one value, values with a constant distance, or any.
import { Distances, isDistance } from "../../control/distances.js";
import type { Graph, Step } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import type { Operand } from "../../program/operand.js";
import { BLOCK_UNIFORM } from "../emit/special.js";

/** The distance between neighbours; undefined where there is none. */
export type Shape = number | undefined;

/** What is known before the shapes of a segment are. */
export interface ShapeInputs {
  readonly graph: Graph;
  readonly flow: FlowOrder;
  /** Registers with their distances at the segment's beginning. */
  readonly initial: Iterable<readonly [register: number, distance: number]>;
  /** Steps that run there, before the first block. */
  readonly rebuilt: readonly Step[];
  /** Whether a step may give up, so that the threads are run one by one. */
  readonly mayGiveUp: (step: Step) => boolean;
}

export interface Shapes {
  of(register: number): Shape;
  /** Of an operand, with the guard of its step left aside. */
  ofOperand(step: Step, operand: Operand): Shape;
}

export function shapesOf({ graph, flow, initial, rebuilt, mayGiveUp }: ShapeInputs): Shapes {
  const distances = new Distances(graph.registerTypes.length, (name) => BLOCK_UNIFORM.has(name));
  for (const [register, distance] of initial) distances.join(register, distance);
  const steps = [...rebuilt];
  for (const block of flow.order) {
    graph.blocks[block]!.steps.forEach((step) => {
      if (step.writes.length > 0) steps.push(step);
    });
  }
  for (let changed = true; changed; ) {
    changed = false;
    steps.forEach((step) => {
      if (distances.visit(step, !mayGiveUp(step))) changed = true;
    });
  }
  const settled = (distance: number): Shape => (isDistance(distance) ? distance : undefined);
  return {
    of: (register) => settled(distances.of(register)),
    ofOperand: (step, operand) => settled(distances.ofOperand(step, operand)),
  };
}
