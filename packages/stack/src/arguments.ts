// What every function says of a wrong argument: values of the wrong kind, and names that do not exist.
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { StackPtxError } from "./error.js";

/** The error of a value that is not what was expected. */
export function invalid(expected: string, found: unknown): StackPtxError {
  return new StackPtxError("INVALID_VALUE", `expected ${expected}, found ${describeValue(found)}`);
}

/** @throws StackPtxError INVALID_VALUE for the first name that is not known, with the nearest that is */
export function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  const all = new Set(known);
  const unknown = names.find((name) => !all.has(name));
  if (unknown === undefined) return;
  throw new StackPtxError("INVALID_VALUE", `unknown ${what} \`${unknown}\`${didYouMean(unknown, known)}`);
}
