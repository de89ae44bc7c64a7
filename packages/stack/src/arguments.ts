// What every function says of a wrong argument: values of the wrong kind, numbers out of range, and names that do not exist.
import { describeValue, didYouMean, type StackTable } from "@mm-ptx/types/core";
import { StackPtxError } from "./error.js";

/** The lists that make an object a table. */
const TABLE_LISTS = ["stackTypes", "argTypes", "instructions", "specialRegisters"] as const;

/** The error of a value that is not what was expected; the hint ends the message. */
export function invalid(expected: string, found: unknown, hint = ""): StackPtxError {
  return new StackPtxError("INVALID_VALUE", `expected ${expected}, found ${describeValue(found)}${hint}`);
}

/**
 * The value, when it is an integer from `least` to `most`.
 * @param what what it is, as messages call it
 * @throws StackPtxError INVALID_VALUE
 */
export function integer(what: string, value: number, most: number, least = 0): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`an integer from ${least} to ${most} as ${what}`, value);
}

/** Registers or requests of one job: a list that says more is refused before any memory is taken for it. */
const MOST_LISTED = 2 ** 24;

/** How long a list of the caller is, read once. @throws StackPtxError INVALID_VALUE */
export function lengthOf(name: string, list: ArrayLike<unknown>): number {
  const length: unknown = typeof list === "object" ? list?.length : undefined;
  if (typeof length !== "number") throw invalid(`\`${name}\` as an array`, list);
  return integer(`the length of \`${name}\``, length, MOST_LISTED);
}

/** @throws StackPtxError INVALID_VALUE for the first name that is not known, with the nearest that is */
export function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  const all = new Set(known);
  const unknown = names.find((name) => !all.has(name));
  if (unknown === undefined) return;
  throw new StackPtxError("INVALID_VALUE", `unknown ${what} \`${unknown}\`${didYouMean(unknown, known)}`);
}

/** @throws StackPtxError INVALID_VALUE when options are no object, or have one that is not known */
export function checkOptionNames(options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw invalid("options as an object", options);
  checkNames("option", Object.keys(options), known);
}

/** @throws StackPtxError INVALID_VALUE */
export function checkTable(table: StackTable): void {
  if (table?.kind === "stack" && TABLE_LISTS.every((list) => Array.isArray(table[list]))) return;
  throw invalid("a Stack PTX table", table);
}
