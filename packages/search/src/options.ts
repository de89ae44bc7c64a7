// Reads the options of calls.
import { type Check, describeValue, type OptionRules, takeOptions } from "@mm-ptx/types/internal";
import { SearchError } from "./error.js";

/** The options of a call. @throws SearchError INVALID_ARGUMENT */
export const readOptions = <Options extends object>(
  options: unknown,
  checks: Readonly<Record<keyof Options & string, Check>>,
  rules: OptionRules = {},
): Options => takeOptions(options, checks, rules, (message) => new SearchError("INVALID_ARGUMENT", message));

/** Options with the defaults of those that are missing. */
export function withDefaults<Options extends object>(
  options: Options,
  defaults: Required<Options>,
): Required<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** The error for an argument that is not what was expected. */
export const invalid = (expected: string, found: unknown): SearchError =>
  new SearchError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
