// Registers that are read before they are written are 0, each time that their function begins.
import { TYPES } from "../program/types.js";
import type { Context, Graph, Step } from "./graph.js";
import type { Liveness } from "./liveness.js";
import { CARRY } from "./registers.js";

/** Writes 0 to what is alive where a function begins. */
export function clearUnwritten({ blocks, beginnings, registerTypes }: Graph, { before }: Liveness): void {
  for (const block of beginnings) {
    const { context, steps } = blocks[block]!;
    const end = context.registerBase + context.body.registers.length;
    const isOwn = (register: number) => register >= context.registerBase && register < end;
    for (const register of before.members(block)) {
      const { bits } = TYPES[registerTypes[register]!];
      if (bits > 64 || !(isOwn(register) || (block === 0 && register === CARRY))) continue;
      steps.push(clearing(context, register, bits === 1 ? "pred" : `b${bits as 8 | 16 | 32 | 64}`));
    }
  }
}

function clearing(context: Context, register: number, type: "pred" | "b8" | "b16" | "b32" | "b64"): Step {
  const opcode = `mov.${type}`;
  return {
    source: {
      ...{ name: "mov", opcode, modifiers: {}, types: [type], operandTypes: [type, type], results: 1 },
      operands: [
        { kind: "register", register: register - context.registerBase, negated: false },
        { kind: "immediate", bits: 0n },
      ],
      ...{ guard: undefined, call: undefined, branchTargets: undefined, span: context.body.nameSpan },
    },
    context,
    index: 0,
    words: new Set(),
    reads: [],
    writes: [register],
  };
}
