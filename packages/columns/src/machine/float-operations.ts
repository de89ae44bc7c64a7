// The f32 instructions that have a kernel in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import { FloatKernel } from "./kernels.js";
import { Flag } from "./layout.js";
import {
  bitwise,
  type Definition,
  LEAST_NORMAL,
  type Recipe,
  type Register,
  withArgument,
} from "./recipe.js";
import { Conversion, DirectedOperation, Direction, WordOperation } from "./word-kernels.js";

/** Kernels that round to nearest, by what PTX writes besides `.ftz`, `.sat` and the type, with the number of their operands. */
const KERNELS: Readonly<Record<string, readonly [kernel: FloatKernel, operands: number]>> = {
  add: [FloatKernel.add, 2],
  sub: [FloatKernel.sub, 2],
  mul: [FloatKernel.mul, 2],
  "add.rn": [FloatKernel.add, 2],
  "sub.rn": [FloatKernel.sub, 2],
  "mul.rn": [FloatKernel.mul, 2],
  "fma.rn": [FloatKernel.fma, 3],
  "mad.rn": [FloatKernel.fma, 3],
  "div.rn": [FloatKernel.div, 2],
  "div.full": [FloatKernel.div, 2],
  "div.approx": [FloatKernel.divApprox, 2],
  abs: [FloatKernel.abs, 1],
  neg: [FloatKernel.neg, 1],
  min: [FloatKernel.min, 2],
  max: [FloatKernel.max, 2],
  "min.NaN": [FloatKernel.minNaN, 2],
  "max.NaN": [FloatKernel.maxNaN, 2],
  "rcp.rn": [FloatKernel.rcp, 1],
  "rcp.approx": [FloatKernel.rcp, 1],
  "sqrt.rn": [FloatKernel.sqrt, 1],
  "sqrt.approx": [FloatKernel.sqrt, 1],
  "rsqrt.approx": [FloatKernel.rsqrt, 1],
  "sin.approx": [FloatKernel.sin, 1],
  "cos.approx": [FloatKernel.cos, 1],
  "lg2.approx": [FloatKernel.lg2, 1],
  "ex2.approx": [FloatKernel.ex2, 1],
  "tanh.approx": [FloatKernel.tanh, 1],
};

/** The kernels for a constant second operand, and for a constant first one. */
const VARIANTS: ReadonlyMap<FloatKernel, readonly [second: FloatKernel, first: FloatKernel]> = new Map([
  [FloatKernel.add, [FloatKernel.addConstant, FloatKernel.constantAdd]],
  [FloatKernel.sub, [FloatKernel.subConstant, FloatKernel.constantSub]],
  [FloatKernel.mul, [FloatKernel.mulConstant, FloatKernel.constantMul]],
  [FloatKernel.divApprox, [FloatKernel.divApproxConstant, FloatKernel.constantDivApprox]],
]);

/** Instructions that exist in other roundings, too. */
const DIRECTED: Readonly<Record<string, readonly [operation: DirectedOperation, operands: number]>> = {
  add: [DirectedOperation.add, 2],
  sub: [DirectedOperation.sub, 2],
  mul: [DirectedOperation.mul, 2],
  fma: [DirectedOperation.fma, 3],
  mad: [DirectedOperation.fma, 3],
  div: [DirectedOperation.div, 2],
  rcp: [DirectedOperation.div, 1],
  sqrt: [DirectedOperation.sqrt, 1],
};

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  rz: Direction.zero,
  rm: Direction.down,
  rp: Direction.up,
};

/** A rounding that is not to nearest. */
export const directionOf = (rounding: string): Direction | undefined => DIRECTIONS[rounding];

/** Instructions with `.sat`. */
const SATURATING = "add sub mul fma mad";
/** Instructions without `.ftz`. */
const UNFLUSHED = "tanh copysign";
/** The bits of 1. */
const ONE = 0x3f800000;

/** The definition of an f32 instruction, if there is one. */
export function floatDefinition(parts: OperationParts): Definition | undefined {
  const { name, choice, rounding, flush, saturation, rectify, types } = parts;
  if (types.length !== 1 || types[0] !== "f32" || rectify) return undefined;
  if (flush && UNFLUSHED.includes(name)) return undefined;
  const saturates = saturation === "sat";
  if (saturation !== "" && !(saturates && SATURATING.split(" ").includes(name))) return undefined;
  const least = flush ? LEAST_NORMAL : 0;
  const flushFlags = flush ? Flag.clean | Flag.flushes : 0;
  if (name === "copysign") {
    if (choice !== "" || rounding !== "") return undefined;
    return { flags: bitwise(2), build: (recipe) => recipe.float(FloatKernel.copysign, 0, 0, 1) };
  }
  const extremum = extremumDefinition(parts, least);
  if (extremum !== undefined) return { ...extremum, flags: extremum.flags | flushFlags };
  const row = nearestRow(parts);
  const arithmetic = arithmeticOf(parts, least);
  if (arithmetic === undefined) return undefined;
  const build = (recipe: Recipe) => arithmetic(recipe, [0, 1, 2]);
  if (!saturates) return { flags: Flag.loose | flushFlags, build, variants: row && VARIANTS.get(row[0]) };
  return { flags: flushFlags, build: (recipe) => recipe.convert(Conversion.saturate, build(recipe)) };
}

const nearestRow = ({
  name,
  choice,
  rounding,
}: OperationParts): readonly [kernel: FloatKernel, operands: number] | undefined =>
  KERNELS[[name, choice, rounding].filter((word) => word !== "").join(".")];

/** How to compute an instruction of f32 from up to three operands, before `.sat`. Results that are smaller than `least` become zeros. */
export function arithmeticOf(
  parts: OperationParts,
  least: number,
): ((recipe: Recipe, operands: readonly Register[]) => Register) | undefined {
  const { name, rounding, choice } = parts;
  const nearest = nearestRow(parts);
  if (nearest !== undefined) {
    const [kernel, count] = nearest;
    return (recipe, operands) => recipe.float(kernel, least, ...operands.slice(0, count));
  }
  const direction = directionOf(rounding);
  const other = DIRECTED[name];
  if (direction === undefined || other === undefined || choice !== "") return undefined;
  const [operation, count] = other;
  return (recipe, operands) => {
    const registers = operands.slice(0, count);
    if (name === "rcp") registers.unshift(recipe.constant(ONE));
    return recipe.step(recipe.kernels.directed, withArgument(operation, direction), registers, least);
  };
}

const FORMS_OF_TWO = ["xorsign.abs", "NaN.xorsign.abs"];
const FORMS_OF_THREE = ["", "NaN", "abs", "NaN.abs"];
const FORMS: Readonly<Record<string, readonly string[]>> = {
  min: FORMS_OF_TWO,
  max: FORMS_OF_TWO,
  min3: FORMS_OF_THREE,
  max3: FORMS_OF_THREE,
};

/** The forms of `min` and `max` that several kernels compute. */
function extremumDefinition(
  { name, choice, rounding }: OperationParts,
  least: number,
): Definition | undefined {
  if (rounding !== "" || FORMS[name]?.includes(choice) !== true) return undefined;
  const ofMin = name.startsWith("min");
  const nan = choice.startsWith("NaN");
  const kernel = nan
    ? ofMin
      ? FloatKernel.minNaN
      : FloatKernel.maxNaN
    : ofMin
      ? FloatKernel.min
      : FloatKernel.max;
  const sizes = choice.endsWith("abs");
  const size = (recipe: Recipe, register: Register) =>
    sizes ? recipe.float(FloatKernel.abs, 0, register) : register;
  const both = (recipe: Recipe, a: Register, b: Register): Register =>
    recipe.float(kernel, least, size(recipe, a), size(recipe, b));
  if (name.endsWith("3"))
    return { flags: Flag.loose, build: (recipe) => both(recipe, both(recipe, 0, 1), 2) };
  return {
    flags: bitwise(2),
    build: (recipe) => {
      const sign = recipe.words(WordOperation.xor, 0, 1);
      return recipe.canonical(recipe.float(FloatKernel.copysign, 0, sign, both(recipe, 0, 1)));
    },
  };
}
