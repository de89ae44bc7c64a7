// Injections that are written as several injections with numbered names. A value in the kernel chooses one of them.
import { describeValue, quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { checkOptionNames } from "../options.js";
import { expressionProblem } from "./expression.js";

/** How one injection becomes several. */
export interface Alternatives {
  /** How many alternatives, 1 to 65,536: `NAME_0` to `NAME_(count-1)`. */
  readonly count: number;
  /** The C++ expression whose value is the number of the alternative that runs, for example `blockIdx.x`. */
  readonly select: string;
}

/** More would be more text than any assembler can process in reasonable time. */
export const MOST_ALTERNATIVES = 65_536;

/** The numbered names, in order. */
export const namesOf = (name: string, { count }: Alternatives): string[] =>
  Array.from({ length: count }, (_, i) => `${name}_${i}`);

/**
 * Checks the requested alternatives; returns them by injection name.
 *
 * @throws PtxInjectError INVALID_ARGUMENT
 */
export function checkAlternatives(asked: Readonly<Record<string, Alternatives>>): Map<string, Alternatives> {
  if (typeof asked !== "object" || asked === null)
    throw invalid("alternatives by injection name", describeValue(asked));
  for (const [name, alternatives] of Object.entries(asked)) {
    checkOptionNames(`alternatives of ${quoted(name)}`, alternatives, ["count", "select"]);
    const { count, select } = alternatives;
    if (!Number.isInteger(count) || count < 1 || count > MOST_ALTERNATIVES)
      throw invalid(`1 to ${MOST_ALTERNATIVES} alternatives of ${quoted(name)}`, describeValue(count));
    if (typeof select !== "string")
      throw invalid(`a C++ expression that selects an alternative of ${quoted(name)}`, describeValue(select));
    const problem = expressionProblem(select);
    if (problem !== undefined)
      throw new PtxInjectError("INVALID_ARGUMENT", `selector of ${quoted(name)}: ${problem}`);
  }
  return new Map(Object.entries(asked));
}

function invalid(expected: string, found: string): PtxInjectError {
  return new PtxInjectError("INVALID_ARGUMENT", `expected ${expected}, found ${found}`);
}
