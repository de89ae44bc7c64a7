// Which registers instructions read and write, and in which WebAssembly type each register is kept. nvcc declares float
// registers `.b32` as well, so the uses of a register decide its type.
import type { Operand } from "../program/operand.js";
import type { Instruction } from "../program/program.js";
import { type PtxType, TYPES, type ValueType } from "../program/types.js";
import type { Graph } from "./graph.js";
import type { Step } from "./step.js";

/** The thread's carry flag, which is a register of the graph. */
export const CARRY = 0;

/** The registers that an instruction reads and writes, numbered as in the graph. */
export function registersOf(
  { operation: { results, traits }, operands, guard, call }: Instruction,
  registerBase: number,
): { reads: readonly number[]; writes: readonly number[] } {
  let count = 0;
  for (let i = 0; i < results; i++) count = addRegisters(operands[i]!, registerBase, count);
  if (traits.givesCarry) found[count++] = CARRY;
  const writes = found.slice(0, count);
  count = 0;
  for (let i = results; i < operands.length; i++) count = addRegisters(operands[i]!, registerBase, count);
  if (call?.callee.kind === "register") found[count++] = registerBase + call.callee.register;
  if (traits.takesCarry) found[count++] = CARRY;
  if (guard !== undefined) {
    found[count++] = registerBase + guard.register;
    for (let i = 0; i < writes.length; i++) found[count++] = writes[i]!;
  }
  return { reads: found.slice(0, count), writes };
}

/** Reused for each instruction, because copying the part that is needed takes less memory than growing a new array. */
const found: number[] = [];

/** Writes the registers of an operand into `found`, starting at an index, and returns the index after the last one. */
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

/** Calls `visit` with every step of a graph, including those that end blocks. */
export function forEachStep({ blocks }: Graph, visit: (step: Step) => void): void {
  for (const { steps, end } of blocks) {
    steps.forEach(visit);
    if ("step" in end) visit(end.step);
  }
}

/** The type of the local in which each register is kept. */
export function valueTypes(graph: Graph): readonly ValueType[] {
  const votes = new Int32Array(graph.registerTypes.length);
  forEachStep(graph, ({ source: { operands }, operation: { operandTypes, traits }, context }) => {
    // Instructions that move bits are weak evidence of what a register holds.
    const weight = traits.moves ? 1 : 16;
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
