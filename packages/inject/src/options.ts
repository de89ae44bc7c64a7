// Checks for options that several functions share.
import type { InjectType, InjectTypes } from "@mm-ptx/types/core";
import {
  type Check,
  type Checks,
  describeValue,
  isBoolean,
  isOneOf,
  nameProblem,
  optionProblem,
  unexpected,
} from "@mm-ptx/types/internal";
import { PtxInjectError } from "./error.js";

/**
 * @param whose the function's name in messages
 * @throws PtxInjectError INVALID_ARGUMENT if `options` is not an object, or contains an unknown option
 */
export function checkOptionNames(whose: string, options: object, known: readonly string[]): void {
  const problem = nameProblem(options, known, { of: whose });
  if (problem !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", problem);
}

/**
 * @param whose the function's name in messages
 * @throws PtxInjectError INVALID_ARGUMENT if `options` is not an object, or an option is unknown or has an unexpected value
 */
export function checkOptions(whose: string, options: object, checks: Checks): void {
  const problem = optionProblem(options, checks, { of: whose });
  if (problem !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", problem);
}

/** Registers of nvcc and NVRTC: `%f1`, `%rd2`, `%hh3`. A stub's registers of the same names would hide them. */
const COMPILERS_OWN = /^(?:b|f|fd|h|hh|p|r|rd|rs|rq)\d*$/;

/** Whether the names of a stub's registers can begin with a word: `_x` gives `_x0`, `_x1` and so on. */
export const beginsRegisters = (word: string): boolean =>
  /^(?:[A-Za-z]|[_$][\w$])[\w$]*$/.test(word) && !COMPILERS_OWN.test(word);

export const REGISTER_BEGINNING =
  "the beginning of a register's name, such as `_x` or `z`, that compilers do not use";

export const isRegisterPrefix: Check = (value, name) =>
  typeof value === "string" && beginsRegisters(value)
    ? undefined
    : unexpected(name, REGISTER_BEGINNING, value);

/** How stubs are treated, when they are rendered and when they are packed. */
export const STUB_OPTIONS: Checks = { missing: isOneOf(["error", "empty"]), check: isBoolean };

/** The fields that every type must have. */
const TYPE_FIELDS = [
  "name",
  "registerType",
  "movPostfix",
  "registerChar",
  "registerCast",
] as const satisfies readonly (keyof InjectType)[];

/** @throws PtxInjectError INVALID_ARGUMENT if the value is not an inject description */
export function checkTypes(types: InjectTypes): InjectTypes {
  if (types?.kind !== "inject" || !Array.isArray(types.types))
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      `expected an inject description, found ${describeValue(types)}`,
    );
  types.types.forEach(checkType);
  return types;
}

function checkType(type: InjectType, index: number): void {
  if (typeof type !== "object" || type === null)
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      `expected a type of a description, found ${describeValue(type)} (type ${index})`,
    );
  const missing = TYPE_FIELDS.find((field) => typeof type[field] !== "string");
  if (missing === undefined) return;
  throw new PtxInjectError(
    "INVALID_ARGUMENT",
    `expected \`${missing}\` of a type as text, found ${describeValue(type[missing])} (type ${index})`,
  );
}
