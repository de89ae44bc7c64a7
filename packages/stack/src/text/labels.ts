// Labels: words of the caller that stand for registers and routines in the text form.
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { StackPtxError } from "../error.js";
import { type Names, namesOf } from "./names.js";
import { NO_LABEL } from "./syntax.js";

/** Names that stand in the text instead of indices. */
export interface ProgramLabels {
  /** By register index; the registers of a compile job will do. */
  readonly registers?: readonly (string | { readonly name: string })[];
  /** By routine index. */
  readonly routines?: readonly string[];
}

const KINDS = ["registers", "routines"] as const;

/** Checks labels and makes their names. @throws StackPtxError INVALID_VALUE */
export function labelNames(labels: ProgramLabels): Record<(typeof KINDS)[number], Names> {
  if (typeof labels !== "object" || labels === null) throw invalid("labels as an object", labels);
  for (const kind of Object.keys(labels)) {
    if (!(KINDS as readonly string[]).includes(kind)) {
      throw new StackPtxError("INVALID_VALUE", `unknown option \`${kind}\`${didYouMean(kind, KINDS)}`);
    }
  }
  const [registers, routines] = KINDS.map((kind) => namesOf(labelList(kind, labels[kind])));
  return { registers: registers!, routines: routines! };
}

function labelList(kind: string, labels: unknown): string[] {
  if (labels === undefined) return [];
  if (!Array.isArray(labels)) throw invalid(`\`${kind}\` as an array`, labels);
  return Array.from(labels, (label, index) => {
    const name: unknown = typeof label === "string" ? label : label?.name;
    if (typeof name !== "string") throw invalid(`a name as \`${kind}[${index}]\``, label);
    // What leaves a place without a label in the text must not be one.
    return name === NO_LABEL ? "" : name;
  });
}

function invalid(expected: string, found: unknown): StackPtxError {
  return new StackPtxError("INVALID_VALUE", `expected ${expected}, found ${describeValue(found)}`);
}
