// Reads the options of calls.
import { type Check, type OptionRules, takeOptions } from "@mm-ptx/types/internal";
import { PipelineError } from "./error.js";

/** The options of a call. @throws PipelineError INVALID_ARGUMENT */
export const readOptions = <Options extends object>(
  options: unknown,
  checks: Readonly<Record<keyof Options & string, Check>>,
  rules: OptionRules = {},
): Options =>
  takeOptions(options, checks, rules, (message) => new PipelineError("INVALID_ARGUMENT", message));
