// Converts CUDA with comment annotations to CUDA that compiles to marked PTX. The passes: find comments, read
// those that are annotations, compare sites of the same name, and write statements in their places.
import type { InjectTypes, Span } from "@mm-ptx/types/core";
import { type Checks, describeValue, didYouMean, isAnything, isOneOf, quoted } from "@mm-ptx/types/internal";
import { type Alternatives, checkAlternatives, namesOf } from "./cuda/alternatives.js";
import { type Annotation, AnnotationReader } from "./cuda/annotation.js";
import { ConsistencyCheck } from "./cuda/consistency.js";
import { MacroCheck } from "./cuda/macro.js";
import { canonicalOrder } from "./cuda/operand.js";
import { positioned, problemsError } from "./cuda/problems.js";
import { type AnnotationMode, MODES, StatementWriter } from "./cuda/statement.js";
import { type CudaProblem, PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import { checkLength } from "./length.js";
import type { Operand } from "./marked/marker.js";
import { checkOptions, checkTypes } from "./options.js";

export type { Alternatives, AnnotationMode };

/** Options of `annotateCuda`. */
export interface AnnotateCudaOptions {
  /** The types that operands may have; by default those of the inject description, as `F32` and as `f32`. */
  readonly types?: InjectTypes;
  /**
   * `asm` (the default) writes an asm statement. `macro` writes `PTX_INJECT(…)`, for sources that include
   * `ptx_inject.h` with these types; no include is added, because that would move lines.
   */
  readonly mode?: AnnotationMode;
  /**
   * Injections that are written as several: `{ func: { count: 8, select: "blockIdx.x" } }` writes `func_0` to
   * `func_7` into a `switch` on the value of `select`, a C++ expression. If the value is not in 0 to 7,
   * nothing runs and variables keep their values. nvcc compiles the `switch` to a binary search;
   * `expandSites` makes a branch table from marked PTX.
   */
  readonly alternatives?: Readonly<Record<string, Alternatives>>;
}

/** An operand of an annotation. */
export interface CudaOperand extends Operand {
  /** The expression that the asm statement binds, as written. */
  readonly expression: string;
  /** The position in the source, from the direction to the end of the line's last word. */
  readonly span: Span;
}

/** An annotation of a source. */
export interface CudaInjection {
  readonly name: string;
  /** The comment in the source. */
  readonly span: Span;
  /** The operands in the order of their registers: mod, out, in. */
  readonly operands: readonly CudaOperand[];
  /** Its names in PTX: its own name or, with `alternatives`, `NAME_0`, `NAME_1`, … */
  readonly names: readonly string[];
}

/** The result of `annotateCuda`. */
export interface AnnotatedCuda {
  /** The source with a statement in place of each annotation; every other byte and all line numbers are the same. */
  readonly text: string;
  /** The injections in source order, one for each annotation; a name may appear more than once. */
  readonly injections: readonly CudaInjection[];
  /** Parts of the source that are accepted, but are probably not what you intended. */
  readonly warnings: readonly CudaProblem[];
}

const OPTIONS: Checks = { types: isAnything, mode: isOneOf(MODES), alternatives: isAnything };

/**
 * Rewrites the comment annotations of a CUDA source, which have the form of mm-ptx 0.x: a comment that begins
 * with exactly `/* PTX_INJECT` and a name, followed by a line for each operand, such as `in f32 x[0]`,
 * `mod f32 sum` or, with a name that differs from the expression, `out f32 p->z as z`. Lines that begin with
 * `//` are skipped. Text in literals, in other comments and inside `#if 0` is never read as an annotation.
 *
 * @throws PtxInjectError FORMATTING, UNKNOWN_TYPE, DUPLICATE_OPERAND or INCONSISTENT_INJECTION with all
 * `problems` of the source (the code is that of the first); INVALID_ARGUMENT for an argument of the wrong
 * kind, and if the text with all alternatives would have more than 500,000,000 characters;
 * INJECTION_NAME_NOT_FOUND if `alternatives` names an injection that no annotation has.
 */
export function annotateCuda(source: string, options: AnnotateCudaOptions = {}): AnnotatedCuda {
  if (typeof source !== "string")
    throw new PtxInjectError("INVALID_ARGUMENT", `expected CUDA text, found ${describeValue(source)}`);
  checkOptions("annotateCuda", options, OPTIONS);
  const { types = defaultTypes, mode = "asm", alternatives = {} } = options;
  const numbered = checkAlternatives(alternatives);
  const reader = new AnnotationReader(source, checkTypes(types));
  if (numbered.size > 0)
    checkLength("the text with all alternatives", lengthOf(source, types, mode, numbered));
  const writer = new StatementWriter(source, mode, types);
  const consistency = new ConsistencyCheck(reader);
  const unseen = new Set(numbered.keys());
  const { problems, warnings } = reader;
  const macros = new MacroCheck(source, problems);
  // Nothing but the position of an annotation in the text is kept, because long-lived objects are the main cost here.
  for (let annotation = reader.next(); annotation !== undefined; annotation = reader.next()) {
    const { name } = annotation;
    const own = numbered.get(name);
    unseen.delete(name);
    if (own === undefined) consistency.look(name, annotation);
    else {
      // All names of an annotation have the same operands, so reporting the first one that differs is enough.
      for (const each of namesOf(name, own)) if (!consistency.look(each, annotation)) break;
    }
    if (mode === "macro") macros.look(annotation);
    writer.replace(annotation, own);
  }
  consistency.finish(source);
  if (problems.length > 0) throw problemsError(source, problems);
  const [unknown] = unseen;
  if (unknown !== undefined) throw unknownName(unknown, injectionsOf(source, types, numbered));
  let injections: readonly CudaInjection[] | undefined;
  return {
    text: writer.finish(),
    warnings: positioned(source, warnings),
    get injections() {
      injections ??= injectionsOf(source, types, numbered);
      return injections;
    },
  };
}

/** An upper bound of the text's length, from the length of each annotation with one alternative. */
function lengthOf(
  source: string,
  types: InjectTypes,
  mode: AnnotationMode,
  numbered: ReadonlyMap<string, Alternatives>,
): number {
  const reader = new AnnotationReader(source, types);
  const writer = new StatementWriter(source, mode, types);
  let length = source.length;
  for (let annotation = reader.next(); annotation !== undefined; annotation = reader.next()) {
    const own = numbered.get(annotation.name);
    if (own === undefined) continue;
    // Each alternative contains its number twice: in its name, and in the `switch`.
    const one = writer.replace(annotation, { ...own, count: 1 }) + 2 * String(own.count).length;
    length += own.count * one;
  }
  return length;
}

/** Reads the annotations again, for callers that want more than the text. */
function injectionsOf(
  source: string,
  types: InjectTypes,
  numbered: ReadonlyMap<string, Alternatives>,
): CudaInjection[] {
  const reader = new AnnotationReader(source, types);
  const injections: CudaInjection[] = [];
  for (let annotation = reader.next(); annotation !== undefined; annotation = reader.next()) {
    injections.push(injectionOf(annotation, numbered.get(annotation.name)));
  }
  return injections;
}

function injectionOf(
  { name, comment, operands }: Annotation,
  alternatives: Alternatives | undefined,
): CudaInjection {
  return {
    name,
    names: alternatives === undefined ? [name] : namesOf(name, alternatives),
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

function unknownName(name: string, injections: readonly CudaInjection[]): PtxInjectError {
  const suggestion = didYouMean(
    name,
    injections.map((injection) => injection.name),
  );
  return new PtxInjectError(
    "INJECTION_NAME_NOT_FOUND",
    `expected alternatives of an annotated injection, found ${quoted(name)}${suggestion}`,
  );
}
