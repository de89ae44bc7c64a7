// A register that is read before it is written holds 0 each time that its function begins.
import { TYPES } from "../program/types.js";
import type { Graph } from "./graph.js";
import type { Liveness } from "./liveness.js";
import { CARRY } from "./registers.js";
import { syntheticStep } from "./synthetic.js";

/** Zeroes the registers that are live where a function begins. */
export function clearUnwritten({ blocks, beginnings, registerTypes }: Graph, { before }: Liveness): void {
  for (const block of beginnings) {
    const { context, steps } = blocks[block]!;
    const end = context.registerBase + context.body.registers.length;
    const isOwn = (register: number) => register >= context.registerBase && register < end;
    for (const register of before.members(block)) {
      const { bits } = TYPES[registerTypes[register]!];
      if (bits > 64 || !(isOwn(register) || (block === 0 && register === CARRY))) continue;
      const operand = {
        kind: "register",
        register: register - context.registerBase,
        negated: false,
      } as const;
      steps.unshift(
        syntheticStep(context, "mov", registerTypes[register]!, [operand, { kind: "immediate", bits: 0n }]),
      );
    }
  }
}
