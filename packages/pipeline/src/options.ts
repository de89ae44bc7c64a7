// Reads options: each once, so that getters cannot change what was checked.
import { type Check, nameProblem, type OptionRules, optionProblem } from "@mm-ptx/types/internal";
import { PipelineError } from "./error.js";

/** The options of a call. @throws PipelineError INVALID_ARGUMENT */
export function readOptions<Options extends object>(
  options: unknown,
  checks: Readonly<Record<keyof Options & string, Check>>,
  rules: OptionRules = {},
): Options {
  const names = Object.keys(checks);
  const problem = nameProblem(options, names, rules);
  if (problem !== undefined) throw new PipelineError("INVALID_ARGUMENT", problem);
  const given = options as Readonly<Record<string, unknown>>;
  const taken = Object.fromEntries(names.map((name) => [name, given[name]]));
  const wrong = optionProblem(taken, checks, rules);
  if (wrong !== undefined) throw new PipelineError("INVALID_ARGUMENT", wrong);
  return taken as Options;
}
