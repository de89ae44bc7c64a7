// Formulas as codes of f32 and as functions of f64, for tests of derivatives.

import { codeType } from "@mm-ptx/types/code";
import { CodeName, OperationField } from "@mm-ptx/types/internal";
import { codeWords, type Item, input, step } from "./codes.js";

/** A formula: an input, a constant, or a function of formulas. */
export type Formula =
  | { readonly input: number }
  | { readonly constant: number }
  | { readonly name: string; readonly operands: readonly Formula[] };

interface Function64 {
  readonly instruction: string;
  readonly evaluate: (...operands: number[]) => number;
}

/** Smooth functions, in f64. */
export const FUNCTIONS: Readonly<Record<string, Function64>> = {
  add: { instruction: "add.f32", evaluate: (a, b) => a! + b! },
  sub: { instruction: "sub.rn.f32", evaluate: (a, b) => a! - b! },
  mul: { instruction: "mul.ftz.f32", evaluate: (a, b) => a! * b! },
  fma: { instruction: "fma.rn.f32", evaluate: (a, b, c) => a! * b! + c! },
  div: { instruction: "div.rn.f32", evaluate: (a, b) => a! / b! },
  divApprox: { instruction: "div.approx.f32", evaluate: (a, b) => a! / b! },
  neg: { instruction: "neg.f32", evaluate: (a) => -a! },
  abs: { instruction: "abs.f32", evaluate: (a) => Math.abs(a!) },
  rcp: { instruction: "rcp.approx.ftz.f32", evaluate: (a) => 1 / a! },
  sqrt: { instruction: "sqrt.rn.f32", evaluate: (a) => Math.sqrt(a!) },
  rsqrt: { instruction: "rsqrt.approx.f32", evaluate: (a) => 1 / Math.sqrt(a!) },
  sin: { instruction: "sin.approx.f32", evaluate: (a) => Math.sin(a!) },
  cos: { instruction: "cos.approx.ftz.f32", evaluate: (a) => Math.cos(a!) },
  lg2: { instruction: "lg2.approx.f32", evaluate: (a) => Math.log2(a!) },
  ex2: { instruction: "ex2.approx.f32", evaluate: (a) => 2 ** a! },
  tanh: { instruction: "tanh.approx.f32", evaluate: (a) => Math.tanh(a!) },
  min: { instruction: "min.f32", evaluate: (a, b) => Math.min(a!, b!) },
  max: { instruction: "max.f32", evaluate: (a, b) => Math.max(a!, b!) },
};

const scratch = new Float32Array(1);

/** A constant item of type f32. */
export function constant(value: number): Item {
  scratch[0] = value;
  const operation = CodeName.constant | (codeType("f32") << OperationField.typeShift);
  return [operation, new Uint32Array(scratch.buffer)[0]!];
}

/** The constants of a formula, in the order of the items of its code. */
export function constantsOf(formula: Formula): number[] {
  if ("constant" in formula) return [Math.fround(formula.constant)];
  return "operands" in formula ? formula.operands.flatMap(constantsOf) : [];
}

/** The words of a formula's code, whose only output is f32. */
export function codeOf(formula: Formula, inputs: number): number[] {
  const items: Item[] = [];
  const add = (part: Formula): number => {
    if ("operands" in part) {
      const operands = part.operands.map(add);
      items.push(step(FUNCTIONS[part.name]!.instruction, ...operands));
    } else if ("constant" in part) items.push(constant(part.constant));
    else items.push(input("f32", part.input));
    return items.length - 1;
  };
  const output = add(formula);
  return codeWords(inputs, items, [[output, "f32"]]);
}

/** The value of a formula in f64. `watch` is called with each intermediate value. */
export function evaluate64(
  formula: Formula,
  inputs: readonly number[],
  constants: readonly number[],
  watch: (part: Formula, value: number, operands: readonly number[]) => void = () => undefined,
): number {
  let next = 0;
  const run = (part: Formula): number => {
    if ("input" in part) return inputs[part.input]!;
    if ("constant" in part) return constants[next++]!;
    const operands = part.operands.map(run);
    const value = FUNCTIONS[part.name]!.evaluate(...operands);
    watch(part, value, operands);
    return value;
  };
  return run(formula);
}
