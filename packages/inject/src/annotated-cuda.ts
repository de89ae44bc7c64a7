// CUDA with comment annotations, made into CUDA that compiles to marked PTX. The passes: find comments, read those that are
// annotations, hold sites of one name against each other, write statements in their places.
import { deepFreeze, describeValue, type InjectTypes, type Span } from "@mm-ptx/types/core";
import { type Annotation, AnnotationReader, type Finding, mayBeAnnotation } from "./cuda/annotation.js";
import { checkConsistency } from "./cuda/consistency.js";
import { positioned, problemsError } from "./cuda/problems.js";
import { CommentScanner } from "./cuda/scan.js";
import { type AnnotationMode, MODES, statementOf } from "./cuda/statement.js";
import { type CudaProblem, PtxInjectError } from "./error.js";

export type { AnnotationMode };

import { types as defaultTypes } from "./generated/default.js";
import { canonicalOrder } from "./inline-asm.js";
import type { Operand } from "./marked/marker.js";
import { checkOptionNames } from "./options.js";

/** What `annotateCuda` may be told. */
export interface AnnotateCudaOptions {
  /** The types that operands may have; by default those of our inject description, `F32` and `f32` alike. */
  readonly types?: InjectTypes;
  /**
   * `asm` (the default) writes an asm statement. `macro` writes `PTX_INJECT(…)`, for sources that include `ptx_inject.h`
   * with these types; no include is added, because that would move lines.
   */
  readonly mode?: AnnotationMode;
}

/** An operand of an annotation. */
export interface CudaOperand extends Operand {
  /** What asm binds, as written. */
  readonly expression: string;
  /** In the source, from the direction to the end of the line's last word. */
  readonly span: Span;
}

/** An annotation of a source. */
export interface CudaInjection {
  readonly name: string;
  /** The comment in the source. */
  readonly span: Span;
  /** In the order of their registers: mod, out, in. */
  readonly operands: readonly CudaOperand[];
}

/** What `annotateCuda` makes of a source. */
export interface AnnotatedCuda {
  /** The source with a statement in place of each annotation; every other byte and all line numbers are the same. */
  readonly text: string;
  /** One for each annotation, in the order of the source; a name may come more than once. */
  readonly injections: readonly CudaInjection[];
  /** What is taken, but probably not meant. */
  readonly warnings: readonly CudaProblem[];
}

/**
 * Rewrites the comment annotations of a CUDA source, the form of mm-ptx 0.x: a comment that begins with exactly
 * `/* PTX_INJECT` and a name, then a line for each operand, such as `in f32 x[0]`, `mod f32 sum` or, with a name that is
 * not the expression, `out f32 p->z as z`. A line that begins with `//` is skipped.
 * Text in literals and other comments is no annotation, nor is what stands in `#if 0`.
 *
 * @throws PtxInjectError FORMATTING, UNKNOWN_TYPE, DUPLICATE_OPERAND or INCONSISTENT_INJECTION with all `problems` of the
 * source (the code is that of the first), INVALID_INPUT for an argument of the wrong kind.
 */
export function annotateCuda(source: string, options: AnnotateCudaOptions = {}): AnnotatedCuda {
  if (typeof source !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected CUDA text, found ${describeValue(source)}`);
  checkOptionNames("annotateCuda", options, ["types", "mode"]);
  const { types = defaultTypes, mode = "asm" } = options;
  if (!MODES.includes(mode))
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected mode \`asm\` or \`macro\`, found ${describeValue(mode)}`,
    );

  const { annotations, problems, warnings } = read(source, types);
  checkConsistency(source, annotations, problems, warnings);
  if (problems.length > 0) throw problemsError(source, problems);
  return deepFreeze({
    text: write(source, annotations, mode),
    injections: annotations.map(injectionOf),
    warnings: positioned(source, warnings),
  });
}

interface Reading {
  readonly annotations: readonly Annotation[];
  readonly problems: Finding[];
  readonly warnings: Finding[];
}

function read(source: string, { types }: InjectTypes): Reading {
  const scanner = new CommentScanner(source);
  const reader = new AnnotationReader(source, new Map(types.map((type) => [type.name, type])));
  const annotations: Annotation[] = [];
  for (
    let comment = scanner.next(mayBeAnnotation);
    comment !== undefined;
    comment = scanner.next(mayBeAnnotation)
  ) {
    if (comment.branch.dead) continue;
    const annotation = reader.read(comment);
    if (annotation !== undefined) annotations.push(annotation);
  }
  return { annotations, problems: reader.problems, warnings: reader.warnings };
}

function write(source: string, annotations: readonly Annotation[], mode: AnnotationMode): string {
  let text = "";
  let from = 0;
  for (const annotation of annotations) {
    const { start, end } = annotation.comment;
    text += source.slice(from, start) + statementOf(source, annotation, mode);
    from = end;
  }
  return text + source.slice(from);
}

function injectionOf({ name, comment: { start, end }, operands }: Annotation): CudaInjection {
  return {
    name,
    span: { start, end },
    operands: canonicalOrder(operands).map((operand, index) => ({
      name: operand.name,
      index,
      direction: operand.direction,
      register: `_x${index}`,
      registerType: operand.type.registerType,
      type: operand.type.name,
      expression: operand.expression,
      span: operand.span,
    })),
  };
}
