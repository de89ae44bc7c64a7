// Checks of arguments that all functions share: values of the wrong kind, numbers out of range, and unknown names.
import type { StackTable } from "@mm-ptx/types/core";
import {
  type Checks,
  describeValue,
  nameProblem,
  type OptionRules,
  optionProblem,
  unknownName,
} from "@mm-ptx/types/internal";
import { StackPtxError } from "./error.js";

/** The properties that every table has as arrays. */
const TABLE_LISTS = ["stackTypes", "argTypes", "instructions", "specialRegisters"] as const;

/** The error for an unexpected value; the hint is appended to the message. */
export function invalid(expected: string, found: unknown, hint = ""): StackPtxError {
  return new StackPtxError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}${hint}`);
}

/**
 * Returns the value if it is an integer from `least` to `most`.
 * @param what a name for the number, for the message
 * @throws StackPtxError INVALID_ARGUMENT
 */
export function integer(what: string, value: number, most: number, least = 0): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`an integer from ${least} to ${most} as ${what}`, value);
}

/** The most registers or requests of a job. A longer list is rejected before any memory is allocated for it. */
const MOST_LISTED = 2 ** 24;

/** The length of a list that the caller passed, read once. @throws StackPtxError INVALID_ARGUMENT */
export function lengthOf(name: string, list: ArrayLike<unknown>): number {
  const length: unknown = typeof list === "object" ? list?.length : undefined;
  if (typeof length !== "number") throw invalid(`\`${name}\` as an array`, list);
  return integer(`the length of \`${name}\``, length, MOST_LISTED);
}

/** @throws StackPtxError INVALID_ARGUMENT for the first unknown name, with the nearest known name */
export function checkNames(noun: string, names: readonly string[], known: readonly string[]): void {
  refuse(unknownName(names, known, { noun }));
}

/** @throws StackPtxError INVALID_ARGUMENT when options are not an object or have an unknown name */
export function checkOptionNames(options: object, known: readonly string[]): void {
  refuse(nameProblem(options, known));
}

/** @throws StackPtxError INVALID_ARGUMENT when options are not an object, or one is unknown or has an unexpected value */
export function checkOptionValues(options: object, checks: Checks, rules?: OptionRules): void {
  refuse(optionProblem(options, checks, rules));
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new StackPtxError("INVALID_ARGUMENT", problem);
}

/** @throws StackPtxError INVALID_ARGUMENT */
export function checkTable(table: StackTable): void {
  if (table?.kind === "stack" && TABLE_LISTS.every((list) => Array.isArray(table[list]))) return;
  throw invalid("a Stack PTX table", table);
}
