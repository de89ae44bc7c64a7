// Which registers instructions read and write, and which WebAssembly type each register is kept in. nvcc declares registers
// of floats `.b32` too, so it is the uses that decide.
import type { Operand } from "../program/operand.js";
import type { Instruction } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { ValueType } from "../wasm/binary/opcodes.js";
import type { Graph, Step } from "./graph.js";

/** The thread's carry flag, which is a register of the graph. */
export const CARRY = 0;

/**
 * Registers that an instruction reads and writes, as numbers of the graph.
 *
 * @param gives whether it sets the carry flag
 */
export function registersOf(
  { name, operands, results, guard, call }: Instruction,
  registerBase: number,
  gives: boolean,
): { reads: readonly number[]; writes: readonly number[] } {
  let count = 0;
  for (let i = 0; i < results; i++) count = addRegisters(operands[i]!, registerBase, count);
  if (gives) found[count++] = CARRY;
  const writes = found.slice(0, count);
  count = 0;
  for (let i = results; i < operands.length; i++) count = addRegisters(operands[i]!, registerBase, count);
  if (call?.callee.kind === "register") found[count++] = registerBase + call.callee.register;
  if (TAKES_CARRY.has(name)) found[count++] = CARRY;
  if (guard !== undefined) {
    found[count++] = registerBase + guard.register;
    for (let i = 0; i < writes.length; i++) found[count++] = writes[i]!;
  }
  return { reads: found.slice(0, count), writes };
}

/** Filled anew for each instruction: a copy of what is needed takes less memory than an array that grew. */
const found: number[] = [];

const TAKES_CARRY = new Set(["addc", "subc", "madc"]);

/** Puts the registers of an operand into `found` from a place on, and says which place is behind them. */
function addRegisters(operand: Operand, registerBase: number, at: number): number {
  if (operand.kind === "register") found[at] = registerBase + operand.register;
  else if (operand.kind === "address" && operand.base.kind === "register") {
    found[at] = registerBase + operand.base.register;
  } else {
    if (operand.kind !== "vector") return at;
    return operand.items.reduce((next, item) => addRegisters(item, registerBase, next), at);
  }
  return at + 1;
}

/** Calls `visit` with all steps of a graph, those that end blocks too. */
export function forEachStep({ blocks }: Graph, visit: (step: Step) => void): void {
  for (const { steps, end } of blocks) {
    steps.forEach(visit);
    if ("step" in end) visit(end.step);
  }
}

/** Instructions that only move bits: they say nothing about what a register holds. */
const NEUTRAL = new Set(["mov", "ld", "ldu", "st", "selp", "shfl", "atom", "red", "slct", "match"]);

/** The type of the local that each register is kept in. */
export function valueTypes(graph: Graph): readonly ValueType[] {
  const votes = new Int32Array(graph.registerTypes.length);
  forEachStep(graph, ({ source, context }) => {
    const { name, operands, operandTypes } = source;
    const weight = NEUTRAL.has(name) ? 1 : 16;
    const count = (operand: Operand, vote: number): void => {
      if (operand.kind === "register") votes[context.registerBase + operand.register]! += vote;
      else if (operand.kind === "vector") for (const item of operand.items) count(item, vote);
    };
    for (let i = 0; i < operands.length; i++) {
      const type = operandTypes[i];
      if (type !== undefined) count(operands[i]!, voteOf(type) * weight);
    }
  });
  return graph.registerTypes.map((type, register) => kept(type, votes[register]!));
}

function voteOf(type: PtxType): number {
  if (type === "f32" || type === "f64") return 1;
  return TYPES[type].class === "bits" ? 0 : -1;
}

function kept(type: PtxType, votes: number): ValueType {
  const { bits } = TYPES[type];
  const float = type === "f32" || type === "f64" ? votes >= 0 : votes > 0;
  if (bits === 64) return float ? "f64" : "i64";
  return float && bits === 32 ? "f32" : "i32";
}
