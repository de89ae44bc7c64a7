// Checks of options and arguments, with the error of this package.
import { type Checks, describeValue, type OptionRules, optionProblem } from "@mm-ptx/types/internal";
import { PipelineError } from "./error.js";

export const invalid = (expected: string, found: unknown): PipelineError =>
  refuse(`expected ${expected}, found ${describeValue(found)}`);

export const refuse = (message: string): PipelineError => new PipelineError("INVALID_ARGUMENT", message);

/** @throws PipelineError INVALID_ARGUMENT */
export function checkOptions(options: unknown, checks: Checks, rules: OptionRules = {}): void {
  const problem = optionProblem(options, checks, rules);
  if (problem !== undefined) throw refuse(problem);
}
