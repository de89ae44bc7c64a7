// Sites of one name must have the same operands, in PTX and therefore here. Which of them are compiled together is
// known only as far as `#if` shows it.
import type { Span } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { AnnotatedOperand, Annotation, AnnotationReader } from "./annotation.js";
import { areExclusive } from "./branch.js";
import { canonicalOrder } from "./operand.js";
import { positioned } from "./problems.js";
import type { Comment } from "./scan.js";

interface Mismatch {
  readonly name: string;
  readonly first: Annotation;
  readonly other: Annotation;
}

/** Compares the annotations of a source with the first annotation of the same name. */
export class ConsistencyCheck {
  readonly #reader: AnnotationReader;
  /** The first annotation of each name: its comment and, once there is a second one, its contents. */
  readonly #firsts = new Map<string, Comment | Annotation>();
  readonly #mismatches: Mismatch[] = [];

  constructor(reader: AnnotationReader) {
    this.#reader = reader;
  }

  /** Checks an annotation that is called `name` in PTX; returns whether it equals the first one of this name. */
  look(name: string, annotation: Annotation): boolean {
    const known = this.#firsts.get(name);
    if (known === undefined) {
      this.#firsts.set(name, annotation.comment);
      return true;
    }
    const first = "comment" in known ? known : this.#reader.read(known)!;
    if (first !== known) this.#firsts.set(name, first);
    if (firstDifference(first.operands, annotation.operands) === -1) return true;
    if (areExclusive(first.comment.branch, annotation.comment.branch)) return true;
    this.#mismatches.push({ name, first, other: annotation });
    return false;
  }

  /**
   * Adds a problem for each annotation that differs from the first, or a warning if they may not be compiled together.
   */
  finish(source: string): void {
    const places = this.#mismatches.map((mismatch) => ({ mismatch, span: signOf(mismatch.first.comment) }));
    const { problems, warnings } = this.#reader;
    for (const { mismatch, span: related, line } of positioned(source, places)) {
      const { name, first, other } = mismatch;
      const index = firstDifference(first.operands, other.operands);
      const [expected, found] = [first, other].map(({ operands }) => described(operands, index));
      (first.comment.branch === other.comment.branch ? problems : warnings).push({
        code: "INCONSISTENT_INJECTION",
        message: `expected ${quoted(name)} to have the operands that it has on line ${line}, ${expected}, found ${found}`,
        span: canonicalOrder(other.operands)[index]?.span ?? signOf(other.comment),
        related,
      });
    }
  }
}

/** The index in canonical order of the first operands that differ, or -1. */
function firstDifference(a: readonly AnnotatedOperand[], b: readonly AnnotatedOperand[]): number {
  if (a.length === b.length && a.every((operand, i) => areSame(operand, b[i]))) return -1;
  const other = canonicalOrder(b);
  const index = canonicalOrder(a).findIndex((operand, i) => !areSame(operand, other[i]));
  return index === -1 && a.length < b.length ? a.length : index;
}

const areSame = (a: AnnotatedOperand, b: AnnotatedOperand | undefined): boolean =>
  a.name === b?.name && a.direction === b.direction && a.type === b.type;

function described(operands: readonly AnnotatedOperand[], index: number): string {
  const operand = canonicalOrder(operands)[index];
  if (operand === undefined) return `${operands.length} operands`;
  return quoted(`${operand.direction} ${operand.type.name} ${operand.name}`);
}

/** The characters that open a comment. */
const signOf = ({ start, bodyStart }: Comment): Span => ({ start, end: bodyStart });
