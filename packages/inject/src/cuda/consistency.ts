// Sites of one name must have the same operands, in PTX and therefore here. Which of them are compiled together is known
// only as far as `#if` tells.
import { positionAt, quoted } from "@mm-ptx/types/core";
import { canonicalOrder } from "../inline-asm.js";
import type { AnnotatedOperand, Annotation, Finding } from "./annotation.js";
import { areExclusive } from "./branch.js";

/** Adds a problem for each annotation whose operands differ from those of the first of its name, or a warning. */
export function checkConsistency(
  source: string,
  annotations: readonly Annotation[],
  problems: Finding[],
  warnings: Finding[],
): void {
  const known = new Map<string, Annotation>();
  for (const annotation of annotations) {
    const first = known.get(annotation.name);
    if (first === undefined) known.set(annotation.name, annotation);
    else compare(source, first, annotation, problems, warnings);
  }
}

function compare(
  source: string,
  first: Annotation,
  other: Annotation,
  problems: Finding[],
  warnings: Finding[],
): void {
  const expected = canonicalOrder(first.operands).map(describe);
  const found = canonicalOrder(other.operands).map(describe);
  const index = expected.findIndex((operand, i) => operand !== found[i]);
  if (index === -1 && expected.length === found.length) return;
  const [a, b] = [first.comment.branch, other.comment.branch];
  if (areExclusive(a, b)) return;
  const i = index === -1 ? expected.length : index;
  const { line } = positionAt(source, first.comment.start);
  const message =
    `expected ${quoted(other.name)} to have the operands that it has on line ${line}: ` +
    `${quotedOr(expected[i], "no more operands")}, found ${quotedOr(found[i], "no more operands")}`;
  const operand = canonicalOrder(other.operands)[i];
  const span = operand?.span ?? { start: other.comment.start, end: other.comment.body.start };
  (a === b ? problems : warnings).push({ code: "INCONSISTENT_INJECTION", message, span });
}

const describe = ({ direction, type, name }: AnnotatedOperand): string => `${direction} ${type.name} ${name}`;

const quotedOr = (text: string | undefined, otherwise: string): string =>
  text === undefined ? otherwise : quoted(text);
