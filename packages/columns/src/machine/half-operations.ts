// The f16 and bf16 instructions that have kernels in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import {
  combined,
  PREDICATE_RESULT,
  setResult,
  splitChoice,
  THIRD_PREDICATE,
} from "./comparison-operations.js";
import { comparisonOf } from "./comparison-rows.js";
import { arithmeticOf } from "./float-operations.js";
import { FloatKernel } from "./kernels.js";
import { Flag } from "./layout.js";
import { bitwise, type Definition, type Recipe, type Register } from "./recipe.js";
import { AnyRounding, HalfFlag, HalfOperation } from "./wide-kernels.js";
import { halfFlags, WideSteps } from "./wide-recipe.js";
import { RareOperation } from "./word-kernels.js";

const HALVES = ["f16", "bf16"];
const isHalf = (type: string | undefined): boolean => HALVES.includes(type?.replace("x2", "") ?? "");

/** Instructions with the number of their operands. */
const ROWS: Readonly<Record<string, readonly [operation: HalfOperation, operands: number]>> = {
  add: [HalfOperation.add, 2],
  sub: [HalfOperation.sub, 2],
  mul: [HalfOperation.mul, 2],
  fma: [HalfOperation.fma, 3],
  min: [HalfOperation.min, 2],
  max: [HalfOperation.max, 2],
  abs: [HalfOperation.abs, 1],
  neg: [HalfOperation.neg, 1],
};

/** Functions whose results are those of f32, rounded: tests compare all of them. `ex2.approx.f16` is not among them. */
const FUNCTIONS: Readonly<Record<string, FloatKernel>> = {
  "tanh.f16": FloatKernel.tanh,
  "tanh.bf16": FloatKernel.tanh,
  "ex2.bf16": FloatKernel.ex2,
};

/** The definition of an instruction on halves, if there is one. */
export function halfDefinition(parts: OperationParts): Definition | undefined {
  const { name, types } = parts;
  const [type = "", second] = types;
  if (name === "setp") return isHalf(type) ? comparing(parts, type) : undefined;
  if (name === "set") return HALVES.includes(second ?? "") ? comparing(parts, second!) : undefined;
  if (second !== undefined) return type === "f32" && isHalf(second) ? mixed(parts, second) : undefined;
  const operation = FUNCTIONS[`${name}.${type}`];
  const flags = flagsOf(parts, type);
  if (operation !== undefined) {
    return {
      flags: bitwise(1),
      build: (recipe) => {
        const steps = new WideSteps(recipe);
        const float = recipe.float(operation, 0, steps.half(HalfOperation.expand, flags, 0));
        return steps.half(HalfOperation.fromFloat, flags, float);
      },
    };
  }
  const row = isHalf(type) ? ROWS[name] : undefined;
  if (row === undefined) return undefined;
  return {
    flags: bitwise(row[1]),
    build: (recipe) => new WideSteps(recipe).half(row[0], flags, ...[0, 1, 2].slice(0, row[1])),
  };
}

/** The flags for the modifiers of an instruction. */
function flagsOf({ flush, saturation, rectify, choice }: OperationParts, type: string): number {
  return (
    halfFlags(type, AnyRounding.nearest) |
    (flush ? HalfFlag.flush : 0) |
    (saturation === "sat" ? HalfFlag.saturate : 0) |
    (rectify ? HalfFlag.rectify : 0) |
    (choice.startsWith("NaN") ? HalfFlag.nan : 0) |
    (choice.includes("xorsign") ? HalfFlag.signed : 0)
  );
}

/** Only the low halves of pairs are compared, because they determine the first predicate. */
function comparing({ name, types, choice, flush }: OperationParts, type: string): Definition | undefined {
  const [comparison, combination] = splitChoice(choice);
  const row = comparisonOf("f32", comparison);
  if (row === undefined) return undefined;
  const isSet = name === "set";
  const flags = halfFlags(type.replace("x2", ""), AnyRounding.nearest) | (flush ? HalfFlag.flush : 0);
  return {
    flags: bitwise(2) | (combination === undefined ? 0 : THIRD_PREDICATE) | (isSet ? 0 : PREDICATE_RESULT),
    build: (recipe) => {
      const steps = new WideSteps(recipe);
      const read = (operand: Register) => steps.half(HalfOperation.expand, flags, operand);
      const holds = combined(recipe, combination, recipe.compare(...row, read(0), read(1)));
      return isSet ? setResult(recipe, types[0]!, holds) : holds;
    },
  };
}

/** f32 arithmetic whose operands but the last are halves. */
function mixed(parts: OperationParts, type: string): Definition | undefined {
  const arithmetic = arithmeticOf(parts, 0);
  if (arithmetic === undefined) return undefined;
  const flags = halfFlags(type, AnyRounding.nearest);
  const saturates = parts.saturation === "sat";
  const halves = parts.name === "fma" ? 2 : 1;
  return {
    flags: bitwise(halves) | (saturates ? 0 : Flag.loose),
    build: (recipe: Recipe) => {
      const steps = new WideSteps(recipe);
      const operands = [0, 1, 2].map((operand) =>
        operand < halves ? steps.half(HalfOperation.expand, flags, operand) : operand,
      );
      const result = arithmetic(recipe, operands);
      return saturates ? recipe.rare(RareOperation.saturate, result) : result;
    },
  };
}
