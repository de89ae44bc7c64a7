// The caller's labels: words that stand in a text instead of the indices of registers and routines.
import { checkOptionNames, invalid } from "../arguments.js";
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
  checkOptionNames(labels, KINDS);
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
