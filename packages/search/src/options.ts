// Reads the options of calls.
import { type Check, describeValue, type OptionRules, takeOptions, unexpected } from "@mm-ptx/types/internal";
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

/** Checks that a value has methods, which say that it is such a part. */
export const hasMethods =
  (what: string, ...methods: readonly string[]): Check =>
  (value, name) =>
    methods.every((method) => typeof (value as Record<string, unknown> | null)?.[method] === "function")
      ? undefined
      : unexpected(name, what, value);
