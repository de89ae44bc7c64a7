// Reads the options of calls.
import { type Check, type OptionRules, takeOptions } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";

/** The options of a call. @throws ColumnsError INVALID_ARGUMENT */
export const readOptions = <Options extends object>(
  options: unknown,
  checks: Readonly<Record<keyof Options & string, Check>>,
  rules: OptionRules = {},
): Options => takeOptions(options, checks, rules, (message) => new ColumnsError("INVALID_ARGUMENT", message));
