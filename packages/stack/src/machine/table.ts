// The instruction table in the form that the machine reads: flat integer arrays, made once for each compiler.
import type { ArgType, StackTable } from "@mm-ptx/types/core";
import { invalid } from "../arguments.js";
import { constantForms } from "../emit/text-table.js";
import { Node } from "../nodes.js";

export interface MachineTable {
  readonly stackCount: number;
  readonly instructionCount: number;
  readonly specialCount: number;
  /**
   * For instructions with one to three scalar arguments and one scalar result: the number of arguments, from bit 2 on
   * the stack of the arguments or `Shape.mixed`, and from bit 16 on the stack of the result. 0 for all other
   * instructions.
   */
  readonly shape: Int32Array;
  /** The stack of the only result; -1 for instructions with no result or several. */
  readonly resultStack: Int32Array;
  /** The numbers of flat arguments and flat results: vectors count their elements. */
  readonly argCount: Int32Array;
  readonly resultCount: Int32Array;
  /** Where each instruction's operands begin in `operands`. */
  readonly operandsAt: Int32Array;
  /**
   * For each instruction: the number of stacks it pops, then (stack, values) pairs; then the stack of every flat
   * argument in pop order; then the stack of every flat result in print order.
   */
  readonly operands: Int32Array;
  /** Where the stacks of each instruction's results begin in `operands`. */
  readonly resultsAt: Int32Array;
  /** The stack and the number of elements (0 for a scalar) of each special register. */
  readonly specialStack: Int32Array;
  readonly specialElements: Int32Array;
  /** How each stack writes constants: a `ConstantForm`. */
  readonly constants: Uint8Array;
}

/** How a shape is packed. */
export const enum Shape {
  argsMask = 3,
  fromShift = 2,
  fromMask = 0x3fff,
  /**
   * In place of a stack: the arguments come from several stacks. The fetch loops leave these instructions to the
   * general code.
   */
  mixed = 0x3fff,
  toShift = 16,
}

/** The registers of a compile in the form that the machine reads. */
export interface MachineInputs {
  /** The stack index of each register. */
  readonly stacks: Int32Array;
  /** The text of each register, `Text.words` apart. */
  readonly texts: Int32Array;
  readonly count: number;
}

export function machineTable(table: StackTable): MachineTable {
  const count = table.instructions.length;
  const shape = new Int32Array(count);
  const resultStack = new Int32Array(count);
  const argCount = new Int32Array(count);
  const resultCount = new Int32Array(count);
  const operandsAt = new Int32Array(count);
  const resultsAt = new Int32Array(count);
  const operands: number[] = [];

  table.instructions.forEach((instruction, index) => {
    const args = flatStacks(table, instruction.args);
    const results = flatStacks(table, instruction.results);
    const needs = new Map<number, number>();
    for (const stack of args) needs.set(stack, (needs.get(stack) ?? 0) + 1);
    operandsAt[index] = operands.length;
    operands.push(needs.size);
    for (const [stack, values] of needs) operands.push(stack, values);
    for (const stack of args) operands.push(stack);
    resultsAt[index] = operands.length;
    for (const stack of results) operands.push(stack);
    argCount[index] = args.length;
    resultCount[index] = results.length;
    resultStack[index] = results.length === 1 ? results[0]! : -1;
    const scalar = [...instruction.args, ...instruction.results].every(
      (type) => argTypeOf(table, type).vectorElements === 0,
    );
    const narrow = table.stackTypes.length <= Shape.mixed;
    if (scalar && narrow && args.length >= 1 && args.length <= Node.shapedArgs && results.length === 1) {
      const from = needs.size === 1 ? args[0]! : Shape.mixed;
      shape[index] = args.length | (from << Shape.fromShift) | (results[0]! << Shape.toShift);
    }
  });

  const specials = table.specialRegisters.map((special) => argTypeOf(table, special.argType));
  return {
    stackCount: table.stackTypes.length,
    instructionCount: count,
    specialCount: specials.length,
    shape,
    resultStack,
    argCount,
    resultCount,
    operandsAt,
    resultsAt,
    operands: Int32Array.from(operands),
    specialStack: Int32Array.from(specials, (type) => type.stackIndex),
    specialElements: Int32Array.from(specials, (type) => type.vectorElements),
    constants: constantForms(table),
  };
}

/** The stack of every element of the operands, with vectors expanded. */
function flatStacks(table: StackTable, argTypes: readonly number[]): number[] {
  return argTypes.flatMap((index) => {
    const type = argTypeOf(table, index);
    return Array<number>(Math.max(1, type.vectorElements)).fill(type.stackIndex);
  });
}

function argTypeOf(table: StackTable, index: number): ArgType {
  const type = table.argTypes[index];
  if (type === undefined) throw invalid("the index of an argument type of the table", index);
  if (table.stackTypes[type.stackIndex] === undefined) {
    throw invalid("the index of a stack type of the table", type.stackIndex);
  }
  return type;
}
