// Fuel: the number of instructions that translated code may execute before it asks the engine, which then checks the
// launch's limits.
import type { Graph } from "../control/graph.js";
import { loopOfJump } from "../control/loops.js";
import type { FlowOrder } from "../control/order.js";
import type { Emitter } from "./emit/emitter.js";
import type { Site } from "./frame.js";

/** Requests more fuel when there is none left. The site names the running loop. */
export function checkFuel(emitter: Emitter, site: Site): void {
  const { code, facts, thread } = emitter;
  code.get(thread.fuel).i32(0).op("i32.lt_s").if();
  code.i32(emitter.site(site)).get(thread.fuel).call(facts.module.imports.refuel).set(thread.fuel).end();
}

/**
 * Takes the fuel for one more iteration of a loop by a number of threads, where control returns to the loop's header.
 */
export function fuelForLoop(
  emitter: Emitter,
  graph: Graph,
  flow: FlowOrder,
  from: number,
  header: number,
  threads: number,
): void {
  const { order, place } = flow;
  const body = order.slice(place[header]!, place[from]! + 1).map((block) => graph.blocks[block]!);
  // A block's branch is an instruction, too.
  const instructions = body.reduce((sum, { steps }) => sum + steps.length + 1, 0);
  const { code, thread } = emitter;
  code
    .get(thread.fuel)
    .i32(instructions * threads)
    .op("i32.sub")
    .set(thread.fuel);
  checkFuel(emitter, { loop: loopOfJump(graph, from, header, body) });
}
