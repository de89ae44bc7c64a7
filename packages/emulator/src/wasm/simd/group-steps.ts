// How each step of a segment is computed for four threads: once, as vectors, or thread by thread. Also decides whether
// the segment can be computed like that, and whether it is worthwhile.

import { TIMES } from "../../control/facts.js";
import { type Graph, successors } from "../../control/graph.js";
import { isLocalToThread } from "../../control/lane-strides.js";
import type { FlowOrder } from "../../control/order.js";
import type { Step } from "../../control/step.js";
import { keepsOrder } from "./atomics.js";
import { loopsOf } from "./loops.js";
import type { VectorEmit } from "./select.js";
import type { Shapes } from "./shapes.js";
import { vectorEmitterOf } from "./table.js";
import { LANES } from "./vectors.js";

/** The extra cost of a step that is computed thread by thread, on top of its four copies. */
const UNPACKING = 2;
/** Vectors pay off when their code costs less than this fraction of the code for four threads. */
const WORTHWHILE = 0.75;

export class GroupSteps {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** Whether a step runs for all four threads or for none of them. */
  isTogether({ source, context }: Step): boolean {
    return source.guard === undefined || this.#shapes.of(context.registerBase + source.guard.register) === 0;
  }

  /** Whether a step's results are one value or have a constant stride. */
  isScalar({ writes }: Step): boolean {
    for (let i = 0; i < writes.length; i++) if (this.#shapes.of(writes[i]!) === undefined) return false;
    return writes.length > 0;
  }

  /** Whether a step has results and all of its inputs are the same for the group. */
  isUniform(step: Step): boolean {
    const { operands } = step.source;
    const { results } = step.operation;
    if (step.writes.length === 0 || isLocalToThread(step)) return false;
    for (let i = results; i < operands.length; i++) {
      if (this.#shapes.ofOperand(step, operands[i]!) !== 0) return false;
    }
    return this.#shapes.ofCarry(step) === 0;
  }

  /** Whether some results of a step are vectors and others are not. */
  isMixed({ writes }: Step): boolean {
    return (
      writes.length > 1 && new Set(writes.map((register) => this.#shapes.of(register) === undefined)).size > 1
    );
  }

  /** The vector emitter of a step; undefined when the step is computed thread by thread. */
  emitterOf(step: Step): VectorEmit | undefined {
    return this.isTogether(step) ? vectorEmitterOf(step) : undefined;
  }

  /**
   * The branches at which diverging threads of a group continue one by one; undefined when four threads cannot run
   * through a segment together.
   *
   * @param divergencePoints blocks that end with such a branch
   */
  divergencePointsIn(
    graph: Graph,
    flow: FlowOrder,
    mayGiveUp: (step: Step) => boolean,
    divergencePoints: ReadonlySet<number>,
  ): readonly number[] | undefined {
    const { blocks } = graph;
    const { isLooped } = loopsOf(flow, (block) => successors(blocks[block]!.end));
    if (!keepsOrder(graph, flow, isLooped)) return undefined;
    const found: number[] = [];
    for (const block of flow.order) {
      const { steps, end } = blocks[block]!;
      if (steps.some((step) => isDoneAlone(step) || this.isMixed(step))) return undefined;
      if (end.kind !== "branch" && end.kind !== "switch") continue;
      if (end.step.reads.every((register) => this.#shapes.of(register) === 0)) continue;
      if (end.kind === "branch" && mayGiveUp(end.step) && !isLooped(block)) continue;
      if (!divergencePoints.has(block)) return undefined;
      found.push(block);
    }
    return found;
  }

  /** @param once registers that are computed before the first thread */
  areWorthwhile({ blocks }: Graph, { order }: FlowOrder, once: ReadonlySet<number>): boolean {
    let together = 0;
    let apart = 0;
    for (const block of order) {
      for (const step of blocks[block]!.steps) {
        if (step.writes.length === 1 && once.has(step.writes[0]!)) continue;
        apart += LANES;
        const isOne = this.isTogether(step) && (this.isScalar(step) || this.isUniform(step));
        together += isOne || this.emitterOf(step) !== undefined ? 1 : LANES + UNPACKING;
      }
    }
    return together < apart * WORTHWHILE;
  }
}

/** Whether a thread has to finish a step before the next thread does anything. */
export function isDoneAlone({ source: { operands }, operation: { traits } }: Step): boolean {
  const copies = traits.reads && traits.writes && !traits.atomic;
  const readsTime = operands.some((operand) => operand.kind === "special" && TIMES.has(operand.name));
  return copies || readsTime || traits.flow !== undefined;
}
