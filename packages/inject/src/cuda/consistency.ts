// Sites of one name must have the same operands, in PTX and therefore here. Which of them are compiled together is known
// only as far as `#if` tells.
import { quoted, type Span } from "@mm-ptx/types/core";
import type { Annotation, AnnotationReader } from "./annotation.js";
import { areExclusive } from "./branch.js";
import { canonicalOrder } from "./operand.js";
import { type Finding, positioned } from "./problems.js";
import type { Comment } from "./scan.js";

/** What is kept of the first annotation of a name. */
interface First {
  readonly comment: Comment;
  readonly signature: string;
  /** Of its operands, in canonical order. */
  readonly names: string;
}

interface Mismatch {
  readonly name: string;
  readonly first: Comment;
  readonly other: Annotation;
}

/** Holds the annotations of a source against the first of their names. */
export class ConsistencyCheck {
  readonly #firsts = new Map<string, First>();
  readonly #mismatches: Mismatch[] = [];

  /** Looks at an annotation that PTX will call `name`; gives whether it is as the first of this name. */
  look(name: string, annotation: Annotation): boolean {
    const { comment, shape, operands } = annotation;
    let names = "";
    for (const place of shape.canonical) names += `${operands[place]!.name}\n`;
    const first = this.#firsts.get(name);
    if (first === undefined) {
      this.#firsts.set(name, { comment, signature: shape.signature, names });
      return true;
    }
    if (first.signature === shape.signature && first.names === names) return true;
    if (areExclusive(first.comment.branch, comment.branch)) return true;
    this.#mismatches.push({ name, first: first.comment, other: annotation });
    return false;
  }

  /** Adds a problem for each annotation that was not as the first, or a warning where they may not be compiled together. */
  finish(source: string, reader: AnnotationReader, problems: Finding[], warnings: Finding[]): void {
    const places = this.#mismatches.map((mismatch) => ({ mismatch, span: signOf(mismatch.first) }));
    for (const { mismatch, span: related, line } of positioned(source, places)) {
      const { name, first, other } = mismatch;
      const [expected, found] = [reader.read(first)!, other].map(({ operands }) => canonicalOrder(operands));
      const index = expected!.findIndex(
        (operand, i) =>
          operand.name !== found![i]?.name ||
          operand.direction !== found![i].direction ||
          operand.type !== found![i].type,
      );
      const at = index === -1 ? expected!.length : index;
      const [wanted, instead] = [expected!, found!].map((operands) => {
        const operand = operands[at];
        if (operand === undefined) return `${operands.length} operands`;
        return quoted(`${operand.direction} ${operand.type.name} ${operand.name}`);
      });
      (first.branch === other.comment.branch ? problems : warnings).push({
        code: "INCONSISTENT_INJECTION",
        message: `expected ${quoted(name)} to have the operands that it has on line ${line}, ${wanted}, found ${instead}`,
        span: found![at]?.span ?? signOf(other.comment),
        related,
      });
    }
  }
}

/** The opening sign of a comment. */
const signOf = ({ start, body }: Comment): Span => ({ start, end: body.start });
