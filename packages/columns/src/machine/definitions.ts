// Finds what operations compute as sequences of kernels.
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
import { doubleDefinition } from "./double-operations.js";
import { floatDefinition } from "./float-operations.js";
import { halfDefinition } from "./half-operations.js";
import { isInstruction } from "./instructions.js";
import { integerDefinition } from "./integer-operations.js";
import { Flag } from "./layout.js";
import { longDefinition } from "./long-operations.js";
import type { OperationEntry } from "./operations.js";
import { type Definition, type Kernels, Recipe } from "./recipe.js";
import { wideConversion } from "./wide-conversions.js";

const BY_NAME: Readonly<Record<string, (parts: OperationParts) => Definition | undefined>> = {
  mov: movDefinition,
  cvt: cvtDefinition,
  setp: setpDefinition,
  set: setDefinition,
  selp: selpDefinition,
  slct: slctDefinition,
  testp: testpDefinition,
};

/** The definition of an instruction whose values have at most 32 bits. */
const narrowDefinition = (parts: OperationParts, key: string, operands: number): Definition | undefined =>
  BY_NAME[parts.name]?.(parts) ?? floatDefinition(parts) ?? integerDefinition(parts, key, operands);

/** The definition of another instruction. */
function wideDefinition(parts: OperationParts, key: string, operands: number): Definition | undefined {
  if (parts.name === "cvt") return wideConversion(parts);
  return doubleDefinition(parts) ?? halfDefinition(parts) ?? longDefinition(parts, key, operands);
}

/**
 * How the planner treats an operation, or `undefined` if it has no kernel.
 * @param write receives the words of a recipe and returns their address
 */
export function entryOf(
  word: number,
  kernels: Kernels,
  write: (words: readonly number[]) => number,
): OperationEntry | undefined {
  const text = operationText(word);
  const operands = operandsOf(word);
  const parts = operationParts(word);
  // Several words may have the same text, but only one of them encodes the instruction.
  const exists =
    isInstruction(parts.name, text.slice(text.indexOf("."))) && encodeOperation(text, operands) === word;
  if (!exists) return undefined;
  const key = text.replace(`.${parts.types.join(".")}`, "");
  const definition = narrowDefinition(parts, key, operands) ?? wideDefinition(parts, key, operands);
  if (definition === undefined) return undefined;
  const recipe = new Recipe(kernels);
  const flags = definition.flags | (operands << Flag.arityShift);
  return recipe.finish({ ...definition, flags }, definition.build(recipe), operands, write);
}
