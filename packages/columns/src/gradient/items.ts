// The items of a code as derivatives need them, for the machine in JavaScript.
import { codeType, constantOperation, operandsOf } from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { operandsOfRule } from "./javascript-reverse.js";
import { Rule } from "./layout.js";
import { derivativeRule } from "./rules.js";

/** A value of a code, and the operation that computes it. */
export interface Item {
  readonly rule: Rule;
  /** The numbers of its operands. */
  readonly operands: readonly number[];
  /** The bits of an f32 constant, otherwise `undefined`. */
  readonly constant: number | undefined;
  /** Whether it depends on a constant in a differentiable way, and whether it does so through an operation without a derivative. */
  readonly isActive: boolean;
  readonly isRough: boolean;
}

const F32 = codeType("f32");
const F32_CONSTANT = constantOperation(F32);

/** Reads the items of a code that was planned. */
export function readItems(code: Uint32Array): Item[] {
  const items: Item[] = [];
  let at: number = CodeWord.header;
  for (let index = 0; index < code[CodeWord.itemCount]!; index++) {
    const word = code[at]!;
    const count = operandsOf(word);
    if ((word & OperationField.nameMask) <= CodeName.constant) {
      const constant = word === F32_CONSTANT ? code[at + 1]! : undefined;
      const isActive = constant !== undefined;
      items.push({ rule: Rule.constant, operands: [], constant, isActive, isRough: false });
    } else {
      const operands = [...code.subarray(at + 1, at + 1 + count)];
      const rule = derivativeRule(word);
      const read = rule >= Rule.select ? operands.slice(0, 2) : operands;
      const sources = rule === Rule.constant ? [] : read.map((operand) => items[operand]!);
      const dependsOn = sources.some(({ isActive, isRough }) => isActive || isRough);
      const isRough = sources.some((source) => source.isRough) || (rule === Rule.none && dependsOn);
      const isActive = rule !== Rule.none && sources.some((source) => source.isActive);
      items.push({ rule, operands, constant: undefined, isActive, isRough });
    }
    at += 1 + count;
  }
  return items;
}

/** Whether an output has derivatives. */
export function isDifferentiable(items: readonly Item[], value: number, type: number): boolean {
  const { isActive, isRough } = items[value]!;
  return !isRough && (!isActive || type === F32);
}

/** For each value, whether the derivative of an output with respect to it is needed. */
export function neededValues(items: readonly Item[], output: number): boolean[] {
  const needed = items.map(() => false);
  needed[output] = items[output]!.isActive;
  for (let index = output; index >= 0; index--) {
    const { rule, operands } = items[index]!;
    if (!needed[index]) continue;
    for (const operand of operandsOfRule(rule, operands.length)) {
      const value = operands[operand]!;
      if (items[value]!.isActive) needed[value] = true;
    }
  }
  return needed;
}
