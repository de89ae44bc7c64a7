// Instructions that no text has: moves between a call and what it calls, and registers that begin as 0.
import type { Operand } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { Context, Step } from "./graph.js";
import { registersOf } from "./registers.js";

/** A step of one type, with one result unless it stores. */
export function syntheticStep(
  context: Context,
  name: "mov" | "ld" | "st",
  type: PtxType,
  operands: readonly [Operand, Operand],
): Step {
  const { bits } = TYPES[type];
  // Bits as they are; a predicate has no others.
  const moved = name === "mov" && bits > 1 ? (`b${bits}` as PtxType) : type;
  const isAccess = name !== "mov";
  const words = isAccess ? ["param"] : [];
  const isAddress = operands.map(({ kind }) => kind === "address");
  const source = {
    ...{ name, opcode: [name, ...words, moved].join("."), types: [moved], operands },
    modifiers: Object.fromEntries(words.map((word) => [word, word])),
    operandTypes: isAddress.map((address) => (address ? undefined : moved)),
    results: name === "st" ? 0 : 1,
    ...{ guard: undefined, call: undefined, branchTargets: undefined, span: context.body.nameSpan },
  };
  return {
    ...{ source, context, index: 0, words: new Set(words) },
    ...registersOf(source, context.registerBase, false),
  };
}
