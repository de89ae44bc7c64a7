// The f64 instructions that have kernels in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import { Class } from "./layout.js";
import type { Definition } from "./recipe.js";
import { DoubleOperation } from "./wide-kernels.js";
import { anyRounding, classesOf, WideSteps } from "./wide-recipe.js";

/** Instructions by their mnemonic without the type, with the number of their operands. */
const ROWS: Readonly<Record<string, readonly [operation: DoubleOperation, operands: number]>> = {
  add: [DoubleOperation.add, 2],
  sub: [DoubleOperation.sub, 2],
  mul: [DoubleOperation.mul, 2],
  "add.rn": [DoubleOperation.add, 2],
  "sub.rn": [DoubleOperation.sub, 2],
  "mul.rn": [DoubleOperation.mul, 2],
  "div.rn": [DoubleOperation.div, 2],
  min: [DoubleOperation.min, 2],
  max: [DoubleOperation.max, 2],
  abs: [DoubleOperation.abs, 1],
  neg: [DoubleOperation.neg, 1],
  "sqrt.rn": [DoubleOperation.sqrt, 1],
  "rcp.rn": [DoubleOperation.rcp, 1],
  "rsqrt.approx": [DoubleOperation.rsqrt, 1],
  "rcp.approx.ftz": [DoubleOperation.rcpOfHalf, 1],
  "rsqrt.approx.ftz": [DoubleOperation.rsqrtOfHalf, 1],
};

/** Instructions that round once, in any direction, with the number of their operands. */
const FUSED: Readonly<Record<string, readonly [operation: DoubleOperation, operands: number]>> = {
  add: [DoubleOperation.fusedAdd, 2],
  sub: [DoubleOperation.fusedSub, 2],
  mul: [DoubleOperation.fusedMul, 2],
  fma: [DoubleOperation.fma, 3],
  mad: [DoubleOperation.fma, 3],
};

/** The definition of an f64 instruction, if there is one. */
export function doubleDefinition({ name, types, rounding, flush }: OperationParts): Definition | undefined {
  if (types.length !== 1 || types[0] !== "f64") return undefined;
  const direction = anyRounding(rounding);
  const row = ROWS[[name, rounding, flush ? "ftz" : ""].filter((word) => word !== "").join(".")];
  const fused = direction === undefined ? undefined : FUSED[name];
  const [operation, operands] = row ?? fused ?? [];
  if (operation === undefined || operands === undefined) return undefined;
  const argument = row === undefined ? direction! : 0;
  const classes = Array.from({ length: operands }, () => Class.double);
  return {
    flags: classesOf(classes, Class.double),
    build: (recipe) => new WideSteps(recipe).double(operation, argument, ...[0, 1, 2].slice(0, operands)),
  };
}
