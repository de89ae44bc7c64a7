// Templates: what a function computes as items of straight-line code, which are copied wherever the function is used.
import { codeType, constantOperation } from "@mm-ptx/types/code";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { AstWord } from "./ast-layout.js";
import type { AstOperators } from "./ast-operators.js";

/** The operation of constants; like all operations of templates, as a signed integer. */
export const CONSTANT: number = 0 | constantOperation(codeType("f32"));

/** Items over arguments. A value is the number of an item, or `-1 - k` for argument `k`. */
export interface Template {
  /** Each item: its operation, the number of its operands, and those; or `CONSTANT`, 0 and the bits. */
  readonly items: Int32Array;
  readonly count: number;
  /** The number of words in a code. */
  readonly size: number;
  readonly constants: number;
  /** The value of the function. */
  readonly result: number;
}

/** @throws SearchError INVALID_ARGUMENT */
export function templateOf(
  words: Uint32Array,
  args: number,
  operators: AstOperators,
  name: string,
): Template {
  const items: number[] = [];
  let count = 0;
  let constants = 0;
  let size = 0;
  const add = (operation: number, operands: readonly number[]): number => {
    items.push(operation, operands.length, ...operands);
    size += 1 + operands.length;
    return count++;
  };
  const addConstant = (bits: number): number => {
    items.push(CONSTANT, 0, bits);
    size += 2;
    constants++;
    return count++;
  };
  const stack: number[] = [];
  for (let at = 0; at < words.length; at += AstWord.perInstruction) {
    const head = words[at]!;
    const payload = words[at + 1]!;
    const type = head & AstWord.typeMask;
    const arity = head >>> AstWord.arityShift;
    if (type === AstWord.argument) stack.push(-1 - payload);
    else if (type === AstWord.constant) stack.push(addConstant(payload));
    else {
      const operands = stack.splice(stack.length - arity);
      if (type === AstWord.instruction) {
        const operation = operators.operations[payload]!;
        if (operation === 0) {
          const { ptx } = operators.table.instructions[payload]!;
          throw wrong(name, `instructions that columns compute, found ${quoted(ptx)}`);
        }
        stack.push(add(operation, operands));
      } else stack.push(insert(operators.functions[payload]!.template, operands, add, addConstant));
    }
  }
  const result = stack[0]!;
  for (let arg = 0; arg < args; arg++) {
    if (!uses(items, result, -1 - arg)) throw wrong(name, "each argument up to the last to be used");
  }
  return { items: Int32Array.from(items), count, size, constants, result };
}

function insert(
  { items, result }: Template,
  operands: readonly number[],
  add: (operation: number, operands: readonly number[]) => number,
  addConstant: (bits: number) => number,
): number {
  const values: number[] = [];
  const numberAt = (value: number): number => (value < 0 ? operands[-1 - value]! : values[value]!);
  for (let at = 0; at < items.length; ) {
    const operation = items[at]!;
    const operandCount = items[at + 1]!;
    if (operation === CONSTANT) {
      values.push(addConstant(items[at + 2]!));
      at += 3;
    } else {
      const first = at + 2;
      at = first + operandCount;
      values.push(add(operation, Array.from(items.subarray(first, at), numberAt)));
    }
  }
  return numberAt(result);
}

function uses(items: readonly number[], result: number, value: number): boolean {
  if (result === value) return true;
  for (let at = 0; at < items.length; ) {
    const operandCount = items[at + 1]!;
    if (items[at] === CONSTANT) at += 3;
    else {
      at += 2;
      for (let operand = 0; operand < operandCount; operand++) if (items[at + operand] === value) return true;
      at += operandCount;
    }
  }
  return false;
}

const wrong = (name: string, expected: string): SearchError =>
  new SearchError("INVALID_ARGUMENT", `function ${quoted(name)}: expected ${expected}`);
