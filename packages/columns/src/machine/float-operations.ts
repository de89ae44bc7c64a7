// The f32 instructions that have a kernel in WebAssembly.
import type { OperationParts } from "@mm-ptx/types/code";
import { FLOAT_ROWS, UNFLUSHED } from "./float-rows.js";
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
import { DirectedOperation, Direction, RareOperation, WordOperation } from "./word-kernels.js";

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
  const arithmetic = arithmeticOf(parts, least);
  if (arithmetic === undefined) return undefined;
  const build = (recipe: Recipe) => arithmetic(recipe, [0, 1, 2]);
  if (!saturates) return { flags: Flag.loose | flushFlags, build };
  return { flags: flushFlags, build: (recipe) => recipe.rare(RareOperation.saturate, build(recipe)) };
}

/** How to compute an instruction of f32 from up to three operands, before `.sat`. Results that are smaller than `least` become zeros. */
export function arithmeticOf(
  parts: OperationParts,
  least: number,
): ((recipe: Recipe, operands: readonly Register[]) => Register) | undefined {
  const { name, rounding, choice } = parts;
  const nearest = FLOAT_ROWS[[name, choice, rounding].filter((word) => word !== "").join(".")];
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
