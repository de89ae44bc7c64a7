// Injections that are written as several of numbered names, of which a value of the kernel chooses one.
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/core";
import { PtxInjectError } from "../error.js";
import { checkOptionNames } from "../options.js";
import type { Annotation } from "./annotation.js";
import { expressionProblem } from "./expression.js";

/** How one injection becomes several. */
export interface Alternatives {
  /** How many, 1 to 65,536: `NAME_0` to `NAME_(count-1)`. */
  readonly count: number;
  /** The C++ expression whose value is the number of the one that runs, for example `blockIdx.x`. */
  readonly select: string;
}

const MOST_ALTERNATIVES = 65_536;

/** The names that an annotation has in PTX, in their order. */
export function namesOf({ name }: Annotation, alternatives: Alternatives | undefined): string[] {
  if (alternatives === undefined) return [name];
  return Array.from({ length: alternatives.count }, (_, i) => `${name}_${i}`);
}

/**
 * What is asked for, by name.
 *
 * @throws PtxInjectError INVALID_INPUT, INJECTION_NAME_NOT_FOUND
 */
export function checkAlternatives(
  asked: Readonly<Record<string, Alternatives>>,
  annotations: readonly Annotation[],
): ReadonlyMap<string, Alternatives> {
  if (typeof asked !== "object" || asked === null)
    throw invalid("alternatives by injection name", describeValue(asked));
  const known = new Set(annotations.map(({ name }) => name));
  const entries = Object.entries(asked);
  for (const [name, alternatives] of entries) {
    if (!known.has(name)) {
      const message = `expected alternatives of an annotated injection, found ${quoted(name)}${didYouMean(name, known)}`;
      throw new PtxInjectError("INJECTION_NAME_NOT_FOUND", message);
    }
    checkOptionNames(`alternatives of ${quoted(name)}`, alternatives, ["count", "select"]);
    const { count, select } = alternatives;
    if (!Number.isInteger(count) || count < 1 || count > MOST_ALTERNATIVES)
      throw invalid(`1 to ${MOST_ALTERNATIVES} alternatives of ${quoted(name)}`, describeValue(count));
    if (typeof select !== "string")
      throw invalid(`a C++ expression that selects an alternative of ${quoted(name)}`, describeValue(select));
    const problem = expressionProblem(select);
    if (problem !== undefined)
      throw new PtxInjectError("INVALID_INPUT", `selector of ${quoted(name)}: ${problem}`);
  }
  return new Map(entries);
}

function invalid(expected: string, found: string): PtxInjectError {
  return new PtxInjectError("INVALID_INPUT", `expected ${expected}, found ${found}`);
}
