// How each step of a segment is done for four threads: once, as vectors, or thread by thread; and whether the segment can be
// done so, and is worth it.
import { isLocalToThread } from "../../control/distances.js";
import { type Graph, type Step, successors } from "../../control/graph.js";
import type { FlowOrder } from "../../control/order.js";
import { keepsOrder } from "./atomics.js";
import { loopsOf } from "./loops.js";
import type { Shapes } from "./shapes.js";
import { type VectorEmit, vectorEmitterOf } from "./table.js";
import { LANES } from "./vectors.js";

/** How much more a step costs that is written thread by thread, besides its four copies. */
const UNPACKING = 2;
/** Vectors pay when their code costs less than this part of four threads'. */
const WORTHWHILE = 0.75;

export class GroupSteps {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** Whether a step runs for all four threads or for none. */
  isTogether({ source, context }: Step): boolean {
    return source.guard === undefined || this.#shapes.of(context.registerBase + source.guard.register) === 0;
  }

  /** Whether a step's results are one value, or have a constant distance. */
  isScalar({ writes }: Step): boolean {
    return writes.length > 0 && writes.every((register) => this.#shapes.of(register) !== undefined);
  }

  /** Whether a step has results, and all that it reads is the same for the group. */
  isUniform(step: Step): boolean {
    const { operands, results } = step.source;
    if (step.writes.length === 0 || isLocalToThread(step)) return false;
    for (let i = results; i < operands.length; i++) {
      if (this.#shapes.ofOperand(step, operands[i]!) !== 0) return false;
    }
    return true;
  }

  /** Whether some results of a step are vectors and others are not. */
  isMixed({ writes }: Step): boolean {
    return (
      writes.length > 1 && new Set(writes.map((register) => this.#shapes.of(register) === undefined)).size > 1
    );
  }

  /** What writes a step for vectors; undefined where it is written thread by thread. */
  emitterOf(step: Step): VectorEmit | undefined {
    return this.isTogether(step) ? vectorEmitterOf(step) : undefined;
  }

  /**
   * The branches at which threads of a group that part go on one by one; undefined where four threads can't go through a
   * segment together.
   *
   * @param partings blocks that end with such a branch
   */
  partingsIn(
    graph: Graph,
    flow: FlowOrder,
    mayGiveUp: ReadonlySet<Step>,
    partings: ReadonlySet<number>,
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
      if (end.kind === "branch" && mayGiveUp.has(end.step) && !isLooped(block)) continue;
      if (!partings.has(block)) return undefined;
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

/** Whether each thread has to do something before the next one does anything. */
export const isDoneAlone = ({ source }: Step): boolean => ALONE.has(source.name);

const ALONE = new Set(["call", "trap", "cp", "brkpt"]);
