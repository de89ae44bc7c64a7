// CUDA with comment annotations, made into CUDA that compiles to marked PTX. The passes: find comments, read those that are
// annotations, hold sites of one name against each other, write statements in their places.
import { describeValue, type InjectTypes, type Span } from "@mm-ptx/types/core";
import { type Alternatives, checkAlternatives, namesOf } from "./cuda/alternatives.js";
import { type Annotation, AnnotationReader } from "./cuda/annotation.js";
import { checkConsistency } from "./cuda/consistency.js";
import { checkMacroForm } from "./cuda/macro.js";
import { canonicalOrder } from "./cuda/operand.js";
import { type Finding, positioned, problemsError } from "./cuda/problems.js";
import { CommentScanner } from "./cuda/scan.js";
import { type AnnotationMode, MODES, StatementWriter } from "./cuda/statement.js";
import { type CudaProblem, PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import type { Operand } from "./marked/marker.js";
import { checkOptionNames, checkTypes } from "./options.js";

export type { Alternatives, AnnotationMode };

/** What `annotateCuda` may be told. */
export interface AnnotateCudaOptions {
  /** The types that operands may have; by default those of our inject description, `F32` and `f32` alike. */
  readonly types?: InjectTypes;
  /**
   * `asm` (the default) writes an asm statement. `macro` writes `PTX_INJECT(…)`, for sources that include `ptx_inject.h`
   * with these types; no include is added, because that would move lines.
   */
  readonly mode?: AnnotationMode;
  /**
   * Injections that become several: `{ func: { count: 8, select: "blockIdx.x" } }` writes `func_0` to `func_7` into a
   * `switch` on the value of `select`, a C++ expression. Where it is none of 0 to 7 nothing runs, and variables keep their
   * values. nvcc makes a binary search of it; `expandSites` makes a branch table of marked PTX.
   */
  readonly alternatives?: Readonly<Record<string, Alternatives>>;
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
  /** What it is called in PTX: its name, or with `alternatives` `NAME_0`, `NAME_1`, … */
  readonly names: readonly string[];
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
  checkOptionNames("annotateCuda", options, ["types", "mode", "alternatives"]);
  const { types = defaultTypes, mode = "asm", alternatives = {} } = options;
  if (!MODES.includes(mode))
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected mode \`asm\` or \`macro\`, found ${describeValue(mode)}`,
    );

  const { annotations, problems, warnings } = read(source, checkTypes(types));
  const numbered = checkAlternatives(alternatives, annotations);
  const sites = annotations.map((annotation): Site => {
    const own = numbered.get(annotation.name);
    return { annotation, alternatives: own, names: namesOf(annotation, own) };
  });
  checkConsistency(source, sites, problems, warnings);
  if (mode === "macro") for (const annotation of annotations) checkMacroForm(annotation, problems);
  if (problems.length > 0) throw problemsError(source, problems);
  return {
    text: write(source, sites, mode),
    injections: sites.map(injectionOf),
    warnings: positioned(source, warnings),
  };
}

/** An annotation and what becomes of it. */
interface Site {
  readonly annotation: Annotation;
  readonly alternatives: Alternatives | undefined;
  readonly names: readonly string[];
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
  for (let comment = scanner.next(); comment !== undefined; comment = scanner.next()) {
    const annotation = comment.branch.dead ? undefined : reader.read(comment);
    if (annotation !== undefined) annotations.push(annotation);
  }
  const { problems, warnings } = reader;
  if (scanner.unclosed !== undefined) problems.push(scanner.unclosed);
  return { annotations, problems, warnings };
}

function write(source: string, sites: readonly Site[], mode: AnnotationMode): string {
  const writer = new StatementWriter(source, mode);
  const parts: string[] = [];
  let from = 0;
  for (const { annotation, alternatives } of sites) {
    const { start, end } = annotation.comment;
    parts.push(source.slice(from, start), writer.statement(annotation, alternatives));
    from = end;
  }
  parts.push(source.slice(from));
  // One flat string: a rope would be flattened by whoever reads it first.
  return parts.join("");
}

function injectionOf({ annotation: { name, comment, operands }, names }: Site): CudaInjection {
  return {
    name,
    names,
    span: { start: comment.start, end: comment.end },
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
