// Generates the blocks of a graph for one thread: its instructions one by one, and the conditions of its branches.
import type { Graph } from "../control/graph.js";
import type { FlowOrder } from "../control/order.js";
import type { Step } from "../control/step.js";
import { writeStructured } from "../control/structure.js";
import { BEYOND_TARGETS } from "../run/traps.js";
import type { Emitter } from "./emit/emitter.js";
import { writeStep } from "./emit/table.js";
import { fuelForLoop } from "./fuel.js";

/** The parts that differ between functions. */
interface Surroundings {
  /** Whether a step has already been computed. */
  readonly isDone: (step: Step) => boolean;
  /** Leaves the flow at a block that ends it. */
  readonly leave: (block: number) => void;
}

/** Generates the blocks of a flow. */
export function writeScalarFlow(
  emitter: Emitter,
  graph: Graph,
  flow: FlowOrder,
  { isDone, leave }: Surroundings,
): void {
  const { code, facts } = emitter;
  const endOf = (block: number) => graph.blocks[block]!.end;
  const stepOf = (block: number) => (endOf(block) as { readonly step: Step }).step;
  const pushGuard = ({ source, context }: Step) => {
    const { register, negated } = source.guard!;
    emitter.getRegister(context.registerBase + register);
    if (negated) code.op("i32.eqz");
  };
  writeStructured(code, flow, {
    end: endOf,
    steps: (block) => {
      for (const step of graph.blocks[block]!.steps) {
        if (isDone(step)) continue;
        if (step.source.guard === undefined) {
          writeStep(emitter, step);
          continue;
        }
        pushGuard(step);
        code.if();
        writeStep(emitter, step);
        code.end();
      }
    },
    condition: (block) => pushGuard(stepOf(block)),
    selector: (block) => emitter.push(stepOf(block), stepOf(block).operation.results),
    beyond: (block) => {
      code.i32(emitter.site({ step: stepOf(block), detail: BEYOND_TARGETS }));
      emitter.threadNumber();
      code.call(facts.module.imports.trap).op("unreachable");
    },
    leave,
    again: (from, header) => fuelForLoop(emitter, graph, flow, from, header, 1),
  });
}
