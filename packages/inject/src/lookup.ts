// From names and indices that callers give to entries of a list, or the error that says what there is.
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/core";
import { PtxInjectError } from "./error.js";

/** @throws PtxInjectError OUT_OF_BOUNDS_IDX, or INVALID_INPUT when `index` is no number. */
export function atIndex<T>(list: readonly T[], index: unknown, what: string): T {
  if (typeof index !== "number") {
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected the name or index of an ${what}, found ${describeValue(index)}`,
    );
  }
  const found = Number.isInteger(index) ? list[index] : undefined;
  if (found !== undefined) return found;
  const range = list.length === 0 ? "no index, as there is none" : `an index from 0 to ${list.length - 1}`;
  throw new PtxInjectError("OUT_OF_BOUNDS_IDX", `expected ${range}, found ${what} ${index}`);
}

/** The longest name that a suggestion is looked for: comparing takes the product of the lengths. */
const LONGEST_SUGGESTED = 100;

/** The error for a name that is not among the known ones. */
export function unknownName(
  code: "INJECTION_NAME_NOT_FOUND" | "INJECTION_ARG_NAME_NOT_FOUND",
  what: string,
  name: string,
  known: readonly { readonly name: string }[],
): PtxInjectError {
  const names = known.map((entry) => entry.name).filter((entry) => entry.length <= LONGEST_SUGGESTED);
  const listed = names.length === 0 ? "there is none" : names.slice(0, 8).map(quoted).join(", ");
  const more = names.length > 8 ? ` and ${names.length - 8} more` : "";
  const suggestion = name.length <= LONGEST_SUGGESTED ? didYouMean(name, names) : "";
  return new PtxInjectError(
    code,
    `expected an ${what} (${listed}${more}), found ${quoted(name)}${suggestion}`,
  );
}
