// Fuel: instructions that translated code may execute until it asks the engine, which then looks at the launch's limits.
import type { Graph } from "../control/graph.js";
import type { FlowOrder } from "../control/order.js";
import type { Emitter } from "./emit/emitter.js";
import type { Site } from "./frame.js";

/** Asks for more fuel where there is none left. */
export function checkFuel(emitter: Emitter, loop: Site["loop"]): void {
  const { code, facts, thread } = emitter;
  code.get(thread.fuel).i32(0).op("i32.lt_s").if();
  const site = emitter.site(loop === undefined ? {} : { loop });
  code.i32(site).get(thread.fuel).call(facts.module.imports.refuel).set(thread.fuel).end();
}

/** Takes fuel for one more way through a loop, by so many threads: control goes back from a block to the loop's header. */
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
  checkFuel(emitter, loopOf(graph, from, header, body));
}

/** The instructions between which a loop stands: as written, from where it is jumped to, to what jumps. */
function loopOf(
  { blocks }: Graph,
  from: number,
  header: number,
  body: readonly Graph["blocks"][number][],
): Site["loop"] {
  const { context, first } = blocks[header]!;
  const jump = lastOf(blocks[from]!);
  const { function: number } = context;
  if (blocks[from]!.context === context && jump >= first) return { function: number, first, last: jump };
  // The loop is entered in its middle: its jump is elsewhere.
  const inside = body.filter((block) => block.context === context);
  return {
    function: number,
    first: Math.min(first, ...inside.map((block) => block.first)),
    last: Math.max(first, ...inside.map(lastOf)),
  };
}

/** The last instruction of a block. */
function lastOf({ first, steps, end }: Graph["blocks"][number]): number {
  if (end.kind === "jump" && end.at !== undefined) return end.at;
  if ("step" in end) return end.step.index;
  return steps.at(-1)?.index ?? first;
}
