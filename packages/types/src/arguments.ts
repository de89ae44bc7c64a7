// Checks of what callers pass to the functions that take tables: whoever writes plain JavaScript is told as well.
import { describeValue, quoted } from "./core/describe.js";
import { didYouMean } from "./core/suggest.js";
import type { DescriptionKind } from "./description.js";
import { DescriptionError } from "./error.js";
import type { AnyTable } from "./parse.js";

/** The lists that a table of each kind has. */
const LISTS: Record<DescriptionKind, readonly string[]> = {
  ast: ["instructions"],
  inject: ["types"],
  stack: ["stackTypes", "argTypes", "instructions", "specialRegisters"],
};

/** @throws DescriptionError INVALID_VALUE when it is no table */
export function checkTable(table: AnyTable): void {
  const given: unknown = table;
  const isObject = typeof given === "object" && given !== null;
  const lists = isObject && Object.hasOwn(LISTS, table.kind) ? LISTS[table.kind] : undefined;
  const isTable = lists?.every((list) => Array.isArray((given as Record<string, unknown>)[list]));
  if (isTable !== true)
    throw invalid("a table of `parseDescription` or another parser", describeValue(given));
}

/**
 * Checks options that are all texts.
 * @throws DescriptionError INVALID_VALUE when they are no object, one does not exist, or is no text
 */
export function checkTextOptions(options: object, known: readonly string[]): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    throw invalid("an object of options", describeValue(given));
  }
  for (const [key, value] of Object.entries(given)) {
    if (!known.includes(key)) {
      throw invalid(`an option (${known.join(", ")})`, `${quoted(key)}${didYouMean(key, known)}`);
    }
    if (value !== undefined && typeof value !== "string") {
      throw invalid(`\`${key}\` to be a string`, describeValue(value));
    }
  }
}

/** @throws DescriptionError INVALID_VALUE when it is no kind of description */
export function checkKind(kind: DescriptionKind): void {
  const given: unknown = kind;
  if (typeof given === "string" && Object.hasOwn(LISTS, given)) return;
  const kinds = Object.keys(LISTS);
  const suggestion = typeof given === "string" ? didYouMean(given, kinds) : "";
  throw invalid(`a kind (${kinds.join(", ")})`, `${describeValue(given)}${suggestion}`);
}

function invalid(expected: string, found: string): DescriptionError {
  return new DescriptionError("INVALID_VALUE", `expected ${expected}, found ${found}`);
}
