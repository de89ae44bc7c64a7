// Sites of one name must have the same operands, in PTX and therefore here. Which of them are compiled together is known
// only as far as `#if` tells.
import { quoted, type Span } from "@mm-ptx/types/core";
import type { AnnotatedOperand, Annotation } from "./annotation.js";
import { areExclusive } from "./branch.js";
import { canonicalOrder } from "./operand.js";
import { type Finding, positioned } from "./problems.js";

/** An annotation and the names that PTX will have of it. */
interface NamedAnnotation {
  readonly annotation: Annotation;
  readonly names: readonly string[];
}

/** Adds a problem for each annotation whose operands differ from those of the first of its name, or a warning. */
export function checkConsistency(
  source: string,
  sites: readonly NamedAnnotation[],
  problems: Finding[],
  warnings: Finding[],
): void {
  const lineOf = lineOfAnnotations(source, sites);
  const firsts = new Map<string, Annotation>();
  for (const { annotation, names } of sites) {
    // All names of an annotation have the same operands, so the first that was known is enough.
    const known = names.find((name) => firsts.has(name));
    for (const name of names) if (!firsts.has(name)) firsts.set(name, annotation);
    if (known === undefined) continue;
    const first = firsts.get(known)!;
    const index = firstDifference(first.operands, annotation.operands);
    const [a, b] = [first.comment.branch, annotation.comment.branch];
    if (index === -1 || areExclusive(a, b)) continue;
    const [expected, found] = [first, annotation].map(({ operands }) => described(operands, index));
    const finding: Finding = {
      code: "INCONSISTENT_INJECTION",
      message: `expected ${quoted(known)} to have the operands that it has on line ${lineOf(first)}, ${expected}, found ${found}`,
      span: canonicalOrder(annotation.operands)[index]?.span ?? signOf(annotation),
      related: signOf(first),
    };
    (a === b ? problems : warnings).push(finding);
  }
}

/** The place in canonical order of the first operands that differ, or -1. */
function firstDifference(a: readonly AnnotatedOperand[], b: readonly AnnotatedOperand[]): number {
  const other = canonicalOrder(b);
  const index = canonicalOrder(a).findIndex(
    ({ name, direction, type }, i) =>
      name !== other[i]?.name || direction !== other[i].direction || type !== other[i].type,
  );
  return index === -1 && a.length < b.length ? a.length : index;
}

function described(operands: readonly AnnotatedOperand[], index: number): string {
  const operand = canonicalOrder(operands)[index];
  if (operand === undefined) return `${operands.length} operands`;
  return quoted(`${operand.direction} ${operand.type.name} ${operand.name}`);
}

/** The opening sign of an annotation. */
const signOf = ({ comment: { start, body } }: Annotation): Span => ({ start, end: body.start });

/** Tells lines of annotations; the source is walked once, and only if one is asked for. */
function lineOfAnnotations(
  source: string,
  sites: readonly NamedAnnotation[],
): (annotation: Annotation) => number {
  let lines: ReadonlyMap<Annotation, number> | undefined;
  return (annotation) => {
    lines ??= new Map(
      positioned(
        source,
        sites.map((site) => ({ annotation: site.annotation, span: signOf(site.annotation) })),
      ).map((placed) => [placed.annotation, placed.line]),
    );
    return lines.get(annotation)!;
  };
}
