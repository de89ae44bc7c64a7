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
  const reads: number[] = [];
  const writes: number[] = [];
  operands.forEach((operand, i) => {
    if (i < results) addRegisters(operand, registerBase, writes);
    else addRegisters(operand, registerBase, reads);
  });
  if (call?.callee.kind === "register") reads.push(registerBase + call.callee.register);
  if (TAKES_CARRY.has(name)) reads.push(CARRY);
  if (gives) writes.push(CARRY);
  if (guard !== undefined) reads.push(registerBase + guard.register, ...writes);
  return { reads, writes };
}

const TAKES_CARRY = new Set(["addc", "subc", "madc"]);

function addRegisters(operand: Operand, registerBase: number, found: number[]): void {
  if (operand.kind === "register") found.push(registerBase + operand.register);
  else if (operand.kind === "vector")
    for (const item of operand.items) addRegisters(item, registerBase, found);
  else if (operand.kind === "address" && operand.base.kind === "register") {
    found.push(registerBase + operand.base.register);
  }
}

/** All steps of a graph, those that end blocks too. */
export function* stepsOf({ blocks }: Graph): Iterable<Step> {
  for (const { steps, end } of blocks) {
    yield* steps;
    if ("step" in end) yield end.step;
  }
}

/** Instructions that only move bits: they say nothing about what a register holds. */
const NEUTRAL = new Set(["mov", "ld", "ldu", "st", "selp", "shfl", "atom", "red", "slct", "match"]);

/** The type of the local that each register is kept in. */
export function valueTypes(graph: Graph): readonly ValueType[] {
  const votes = new Int32Array(graph.registerTypes.length);
  for (const { source, context } of stepsOf(graph)) {
    const weight = NEUTRAL.has(source.name) ? 1 : 16;
    source.operands.forEach((operand, i) => {
      const type = source.operandTypes[i];
      if (type === undefined) return;
      const items = operand.kind === "vector" ? operand.items : [operand];
      for (const item of items) {
        if (item.kind !== "register") continue;
        votes[context.registerBase + item.register]! += voteOf(type) * weight;
      }
    });
  }
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
