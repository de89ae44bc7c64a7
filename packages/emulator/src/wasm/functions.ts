// Functions that kernels call without inlining them: recursive functions, and functions that are called through their
// addresses.
import { callsOf } from "../control/calls.js";
import { buildGraph, type Graph, successors, Untranslatable } from "../control/graph.js";
import { assignLocals, liveness } from "../control/liveness.js";
import { flowOrder } from "../control/order.js";
import { refuseTurns, withTurns } from "../control/turns.js";
import type { Program, ProgramFunction } from "../program/program.js";
import { Code } from "./binary/code.js";
import { Emitter } from "./emit/emitter.js";
import type { KernelFacts } from "./emit/facts.js";
import { checkFuel } from "./fuel.js";
import { writeScalarFlow } from "./scalar-flow.js";

/** Takes the thread's number, its index in x, y and z, and where its frame begins in the thread's local memory. */
export const CALLED = { parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] } as const;

/** The graphs of a kernel and of the functions that it calls, by index. */
export interface KernelGraphs {
  readonly kernel: Graph;
  readonly called: ReadonlyMap<number, Graph>;
}

/** @throws {@link Untranslatable} */
export function buildGraphs(program: Program, kernel: ProgramFunction): KernelGraphs {
  const { recursive, addressed } = callsOf(program, kernel);
  const called = new Map<number, Graph>();
  for (const index of new Set([...recursive, ...addressed])) {
    const body = program.functions[index]!;
    const graph = buildGraph(program, body, recursive);
    refuseTurns(graph);
    if (graph.waits.length > 0) {
      throw new Untranslatable(
        `threads wait for each other in \`${body.name}\`, which is called without being inlined`,
      );
    }
    called.set(index, graph);
  }
  return { kernel: withTurns(buildGraph(program, kernel, recursive)), called };
}

/** Generates the function of a graph. */
export function writeFunction(graph: Graph, facts: KernelFacts): Code {
  const code = new Code(CALLED.parameters.length);
  const thread = { thread: 0, tidX: 1, tidY: 2, tidZ: 3, frame: 4, fuel: code.local("i32") };
  const flow = flowOrder(0, graph.blocks.length, (block) => successors(graph.blocks[block]!.end));
  const locals = assignLocals(
    graph,
    flow,
    liveness(graph),
    (register) => facts.types[register]!,
    (register) => code.local(facts.types[register]!),
  );
  const emitter = new Emitter(code, facts, thread, locals);
  const { fuel } = facts.module.globals;
  const instructions = graph.blocks.reduce((sum, { steps }) => sum + steps.length + 1, 0);
  code.getGlobal(fuel).i32(instructions).op("i32.sub").set(thread.fuel);
  checkFuel(emitter, {});
  const returned = code.block();
  writeScalarFlow(emitter, graph, flow, { isDone: () => false, leave: () => code.br(returned) });
  code.end();
  code.get(thread.fuel).setGlobal(fuel);
  return code;
}
