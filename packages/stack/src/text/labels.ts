// The caller's labels: words that replace the indices of registers and routines in a text.
import { checkOptionNames, invalid } from "../arguments.js";
import { type Names, namesOf } from "./names.js";
import { NO_LABEL } from "./syntax.js";

/** Names that replace indices in the text. */
export interface ProgramLabels {
  /** Names of registers by index; you can pass the registers of a compile job. */
  readonly registers?: readonly (string | { readonly name: string })[];
  /** Names of routines by index. */
  readonly routines?: readonly string[];
}

const KINDS = ["registers", "routines"] as const;

/** Checks labels and collects their names. @throws StackPtxError INVALID_ARGUMENT */
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
    // The word that marks an index without a label cannot be a label.
    return name === NO_LABEL ? "" : name;
  });
}
