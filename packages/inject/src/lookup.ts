// Resolves names and indices to entries of a list, or creates the error that lists the entries.
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "./error.js";

/** @throws PtxInjectError OUT_OF_BOUNDS_IDX, or INVALID_ARGUMENT if `index` is not a number. */
export function atIndex<T>(list: readonly T[], index: unknown, what: string): T {
  if (typeof index !== "number") {
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      `expected the name or index of an ${what}, found ${describeValue(index)}`,
    );
  }
  const found = Number.isInteger(index) ? list[index] : undefined;
  if (found !== undefined) return found;
  const message =
    list.length === 0
      ? `expected at least one ${what}, found none at index ${index}`
      : `expected an index from 0 to ${list.length - 1}, found ${what} ${index}`;
  throw new PtxInjectError("OUT_OF_BOUNDS_IDX", message);
}

const MOST_LISTED = 8;

function listOf(names: readonly string[]): string {
  if (names.length === 0) return "there is none";
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return names.slice(0, MOST_LISTED).map(quoted).join(", ") + more;
}

/**
 * The longest name for which suggestions are computed, because comparing takes time proportional to the product of the
 * lengths.
 */
const LONGEST_SUGGESTED = 100;

/** The error for an unknown name. */
export function unknownName(
  code: "INJECTION_NAME_NOT_FOUND" | "INJECTION_ARG_NAME_NOT_FOUND",
  what: string,
  name: string,
  known: readonly { readonly name: string }[],
): PtxInjectError {
  const names = known.map((entry) => entry.name).filter((entry) => entry.length <= LONGEST_SUGGESTED);
  const suggestion = name.length <= LONGEST_SUGGESTED ? didYouMean(name, names) : "";
  return new PtxInjectError(
    code,
    `expected an ${what} (${listOf(names)}), found ${quoted(name)}${suggestion}`,
  );
}

/**
 * The message about a type that a description does not have, with the nearest one, or all types if none is near. Both
 * families of names are near to a word: the one with its first letter is meant.
 */
export function unknownType(word: string, known: readonly string[]): string {
  const family = known.filter((name) => name[0] === word[0]);
  const suggestion = didYouMean(word, family) || didYouMean(word, known);
  const all = suggestion === "" ? ` (${listOf(known)})` : "";
  return `expected a type of the description${all}, found ${quoted(word)}${suggestion}`;
}
