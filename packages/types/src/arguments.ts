// Checks of arguments of this package's functions, so that callers in plain JavaScript get errors as well.

import type { DescriptionKind } from "./description.js";
import { DescriptionError } from "./error.js";
import { describeValue } from "./internal/describe.js";
import { type Check, optionProblem, unexpected } from "./internal/option-checks.js";
import { didYouMean } from "./internal/suggest.js";
import { TABLE_KINDS, whyNoTable } from "./internal/table-form.js";
import type { AnyTable } from "./parse.js";

/** @throws DescriptionError INVALID_ARGUMENT unless it is a table */
export function checkTable(table: AnyTable): void {
  let found: string | undefined;
  try {
    found = whyNoTable(table);
  } catch {
    found = "one that throws";
  }
  if (found !== undefined) throw invalid("a table of `parseDescription` or another parser", found);
}

/**
 * Checks an object of options.
 * @param known the type of each option
 * @throws DescriptionError INVALID_ARGUMENT unless it is an object whose options are known and of the right type
 */
export function checkOptions(options: object, known: Readonly<Record<string, OptionType>>): void {
  const checks = Object.entries(known).map(([name, type]) => [name, isOf(type)] as const);
  let problem: string | undefined;
  try {
    problem = optionProblem(options, Object.fromEntries(checks));
  } catch {
    throw invalid("options as an object", "one that throws");
  }
  if (problem !== undefined) throw new DescriptionError("INVALID_ARGUMENT", problem);
}

type OptionType = "boolean" | "function" | "string";

const isOf =
  (type: OptionType): Check =>
  (value, name) =>
    typeof value === type ? undefined : unexpected(name, `a ${type}`, value);

/** @throws DescriptionError INVALID_ARGUMENT unless it is a kind of description */
export function checkKind(kind: DescriptionKind): void {
  const given: unknown = kind;
  if (typeof given === "string" && (TABLE_KINDS as readonly string[]).includes(given)) return;
  const kinds = TABLE_KINDS;
  const suggestion = typeof given === "string" ? didYouMean(given, kinds) : "";
  throw invalid(`a kind (${kinds.join(", ")})`, `${describeValue(given)}${suggestion}`);
}

/** The error for an argument of the wrong kind. */
export function invalid(expected: string, found: string): DescriptionError {
  return new DescriptionError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
}
