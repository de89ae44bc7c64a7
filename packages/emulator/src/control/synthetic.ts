// Instructions that no text has: moves between a call and what it calls, registers that begin as 0, turns.
import type { Operand } from "../program/operand.js";
import type { Instruction } from "../program/program.js";
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

/** How a thread gives others a turn: `count` says whether it is time, `ask` branches by that, `wait` waits. */
export function turnSteps(
  context: Context,
  index: number,
  isTime: number,
): { readonly count: Step; readonly ask: Step; readonly wait: Step } {
  const register = isTime - context.registerBase;
  const guard = { register, negated: false };
  const step = (
    name: string,
    source: Pick<Instruction, "operands" | "operandTypes" | "results" | "guard">,
  ): Step => {
    const { nameSpan: span } = context.body;
    const whole: Instruction = {
      ...{ ...source, name, opcode: name, modifiers: {}, types: [] },
      ...{ call: undefined, branchTargets: undefined, span },
    };
    return {
      source: whole,
      context,
      index,
      words: new Set(),
      ...registersOf(whole, context.registerBase, false),
    };
  };
  const result: Operand = { kind: "register", ...guard };
  const none = { operands: [], operandTypes: [], results: 0, guard: undefined };
  return {
    count: step("patience", { operands: [result], operandTypes: ["pred"], results: 1, guard: undefined }),
    ask: step("bra", { ...none, guard }),
    wait: step("turn", none),
  };
}
