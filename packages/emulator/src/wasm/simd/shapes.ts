// The shape of a register in four neighbouring threads within one segment: one value, values with a constant stride, or
// any values.

import type { Graph } from "../../control/graph.js";
import { isStride, LaneStrides } from "../../control/lane-strides.js";
import type { FlowOrder } from "../../control/order.js";
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import { BLOCK_UNIFORM } from "../emit/special.js";

/** The stride between neighbours; undefined when there is no constant one. */
export type Shape = number | undefined;

/** The facts from which the shapes of a segment are computed. */
export interface ShapeInputs {
  readonly graph: Graph;
  readonly flow: FlowOrder;
  /** The strides of registers at the segment's beginning. */
  readonly initial: Iterable<readonly [register: number, stride: number]>;
  /** Steps that run at the segment's beginning, before the first block. */
  readonly rematerialized: readonly Step[];
  /** Whether the values that a step widens may wrap around along the group without its giving up. */
  readonly mayWrap: (step: Step, strideOf: (operand: Operand) => number) => boolean;
}

export interface Shapes {
  of(register: number): Shape;
  /** The shape of an operand, ignoring the guard of its step. */
  ofOperand(step: Step, operand: Operand): Shape;
  /** The shape of the carry flag that a step reads; 0 for a step that reads none. */
  ofCarry(step: Step): Shape;
}

export function shapesOf({ graph, flow, initial, rematerialized, mayWrap }: ShapeInputs): Shapes {
  const strides = new LaneStrides(graph.registerTypes.length, (name) => BLOCK_UNIFORM.has(name));
  for (const [register, stride] of initial) strides.join(register, stride);
  const steps = [...rematerialized];
  for (const block of flow.order) {
    graph.blocks[block]!.steps.forEach((step) => {
      if (step.writes.length > 0) steps.push(step);
    });
  }
  for (let changed = true; changed; ) {
    changed = false;
    steps.forEach((step) => {
      if (
        strides.visit(
          step,
          mayWrap(step, (operand) => strides.ofOperand(step, operand)),
        )
      )
        changed = true;
    });
  }
  const settled = (stride: number): Shape => (isStride(stride) ? stride : undefined);
  return {
    of: (register) => settled(strides.of(register)),
    ofOperand: (step, operand) => settled(strides.ofOperand(step, operand)),
    ofCarry: (step) => settled(strides.ofCarry(step)),
  };
}
