// The operations whose kernels are in the module `core`: f32, integers of at most 32 bits, predicates.
import {
  encodeOperation,
  type OperationParts,
  operandsOf,
  operationParts,
  operationText,
} from "@mm-ptx/types/code";
import {
  movDefinition,
  selpDefinition,
  setDefinition,
  setpDefinition,
  slctDefinition,
  testpDefinition,
} from "./comparison-operations.js";
import { cvtDefinition } from "./conversion-operations.js";
import type { CoreKernels } from "./core-kernels.js";
import { floatDefinition } from "./float-operations.js";
import { integerDefinition } from "./integer-operations.js";
import { Flag } from "./layout.js";
import type { OperationEntry } from "./operations.js";
import { type Definition, Recipe } from "./recipe.js";

type ByName = readonly [
  define: (parts: OperationParts) => Definition | undefined,
  typeCount: number,
  modifiers: readonly (keyof OperationParts)[],
];

/** Instructions with their number of types and the modifiers that they may have. */
const BY_NAME: Readonly<Record<string, ByName>> = {
  mov: [movDefinition, 1, []],
  cvt: [cvtDefinition, 2, ["rounding", "flush", "saturation"]],
  setp: [setpDefinition, 1, ["choice", "flush"]],
  set: [setDefinition, 2, ["choice", "flush"]],
  selp: [selpDefinition, 1, []],
  slct: [slctDefinition, 2, ["flush"]],
  testp: [testpDefinition, 1, ["choice"]],
};
const MODIFIERS = ["rounding", "flush", "saturation", "rectify", "choice"] as const;

/** Finds the definition of an operation from its parts, what PTX writes besides the types, the number of its operands, and its text. */
export type Define = (
  parts: OperationParts,
  key: string,
  operands: number,
  text: string,
) => Definition | undefined;

/** The definition of an operation of this module, if there is one. */
export const coreDefinition: Define = (parts, key, operands) => {
  const byName = BY_NAME[parts.name];
  if (byName !== undefined) {
    const [define, typeCount, allowed] = byName;
    const isBare = MODIFIERS.every(
      (each) => parts[each] === "" || parts[each] === false || allowed.includes(each),
    );
    return isBare && parts.types.length === typeCount ? define(parts) : undefined;
  }
  return floatDefinition(parts) ?? integerDefinition(parts, key, operands);
};

/**
 * How the planner treats an operation, or `undefined` if it has no kernel.
 * @param write receives the words of a recipe and returns their address
 */
export function entryOf(
  word: number,
  define: Define,
  kernels: CoreKernels,
  write: (words: readonly number[]) => number,
): OperationEntry | undefined {
  const text = operationText(word);
  const operands = operandsOf(word);
  // Several words may have the same text, of which only one is the instruction's.
  if (encodeOperation(text, operands) !== word) return undefined;
  const parts = operationParts(word);
  const definition = define(parts, text.replace(`.${parts.types.join(".")}`, ""), operands, text);
  if (definition === undefined) return undefined;
  const recipe = new Recipe(kernels);
  const flags = definition.flags | (operands << Flag.arityShift);
  return recipe.finish({ ...definition, flags }, definition.build(recipe), operands, write);
}
