// What a site's results decide by branches: which instructions run and how often, and so which values registers have and what
// is in memory.

import type { PtxModule } from "@mm-ptx/ptx";
import { ControlFlow, targetsOf } from "./control-flow.js";
import type { Flow } from "./flow.js";
import { accessesOf } from "./memory.js";
import { dependsOnThreads, type Step } from "./steps.js";

/** Whether the way after an instruction depends on what a site computes. */
function isTaintedBranch(step: Step, flow: Flow): boolean {
  const { name, operands } = step;
  if (name === "brx") return flow.isGuardTainted(step) || flow.isTainted(operands[0] ?? []);
  return (
    (name === "bra" || name === "ret" || name === "exit" || name === "trap") && flow.isGuardTainted(step)
  );
}

/** The branches of the functions that a kernel runs. */
export class Branches {
  readonly #module: PtxModule;
  readonly #functions: readonly (readonly Step[])[];
  readonly #flows = new Map<readonly Step[], ControlFlow>();

  /** @param functions the instructions of each function, that of the kernel first */
  constructor(module: PtxModule, functions: readonly (readonly Step[])[]) {
    this.#module = module;
    this.#functions = functions;
  }

  /** Taints what depends on branches that depend on sites. */
  taint(flow: Flow): void {
    for (const steps of this.#functions) {
      steps.forEach((step, index) => {
        if (step.name === "call" && flow.isGuardTainted(step)) taintMemory(flow);
        if (isTaintedBranch(step, flow)) this.#taintAfter(steps, index, flow);
      });
    }
    if (this.#functions.every((steps) => !steps.some((step) => isTaintedBranch(step, flow)))) return;
    for (const step of this.#functions.flat()) if (dependsOnThreads(step)) taintTargets(step, flow);
  }

  /** A function whose threads end or not depending on what a site computes, which its caller does not notice. */
  endingFunction(flow: Flow): Step | undefined {
    return this.#functions
      .slice(1)
      .find(
        (steps) =>
          steps.some((step) => isTaintedBranch(step, flow)) && steps.some(({ name }) => name === "exit"),
      )
      ?.find(({ name }) => name === "exit");
  }

  #taintAfter(steps: readonly Step[], index: number, flow: Flow): void {
    let control = this.#flows.get(steps);
    if (control === undefined) {
      control = new ControlFlow(this.#module, steps);
      this.#flows.set(steps, control);
    }
    const { blocks, joins } = control.regionOf(control.blockOf[index]!);
    steps.forEach((step, at) => {
      if (!blocks.has(control.blockOf[at]!)) return;
      if (step.name === "call") taintMemory(flow);
      for (const access of accessesOf(step) ?? []) {
        const place = access.written === undefined ? undefined : flow.placeOf(access, step);
        if (place !== undefined) flow.taintPlace(place);
      }
      for (const target of targetsOf(step)) {
        if (target.kind !== "node" || flow.tainted[target.node] === 1) continue;
        const live = control.liveInto(target.node);
        if (target.isParameter || [...joins].some((join) => live.has(join)))
          flow.set(target.node, flow.bases[target.node]!, true);
      }
    });
  }
}

function taintTargets(step: Step, flow: Flow): void {
  for (const target of targetsOf(step)) {
    if (target.kind === "node") flow.set(target.node, flow.bases[target.node]!, true);
  }
}

function taintMemory(flow: Flow): void {
  flow.taintPlace("own");
  flow.taintPlace("private");
}
