// The statement that stands where an annotation stood. What nvcc says of an operand points at its line: each stands on its
// own as far as the order of an asm statement allows, and one that cannot is looked at before (`sizeof`, no code).
import { type Alternatives, namesOf } from "./alternatives.js";
import type { AnnotatedOperand, Annotation } from "./annotation.js";
import { asmLists, binding, escaped, type Frame, frameOf, markerLines } from "./asm.js";
import { LineWriter } from "./layout.js";

/** How sites are written. */
export type AnnotationMode = "asm" | "macro";

export const MODES: readonly string[] = ["asm", "macro"] satisfies AnnotationMode[];

/** Between two lines of PTX, in a C string. */
const LINE_END = "\\n\\t";

/** Writes the statements of one source. */
export class StatementWriter {
  readonly #source: string;
  readonly #mode: AnnotationMode;
  readonly #frames = new Map<string, Frame>();

  constructor(source: string, mode: AnnotationMode) {
    this.#source = source;
    this.#mode = mode;
  }

  /** What replaces the comment of an annotation, with as many line ends as it has. */
  statement(annotation: Annotation, alternatives: Alternatives | undefined): string {
    const { name, operands, comment } = annotation;
    const lines = new LineWriter(this.#source, comment, comment.inDirective);
    if (alternatives === undefined) {
      const early = this.#mode === "asm" ? cannotStay(operands) : [];
      if (early.length > 0) lines.put("{");
      writeChecks(lines, early);
      this.#site(lines, name, annotation);
      if (early.length > 0) lines.put(" }");
    } else {
      lines.put("{");
      writeChecks(lines, operands);
      lines.put(` switch (${alternatives.select}) {`);
      namesOf(annotation, alternatives).forEach((own, i) => {
        lines.put(` case ${i}:`);
        this.#site(lines, own, annotation);
        lines.put(" break;");
      });
      lines.put(" } }");
    }
    return lines.finish();
  }

  #site(lines: LineWriter, name: string, annotation: Annotation): void {
    if (this.#mode === "macro") writeMacro(lines, name, annotation);
    else writeAsm(lines, name, annotation, this.#frame(annotation.operands));
  }

  /** Frames are kept: sites have few different ones. */
  #frame(operands: readonly AnnotatedOperand[]): Frame {
    let key = "";
    for (const { direction, type } of operands) key += `${direction} ${type.name} `;
    let frame = this.#frames.get(key);
    if (frame === undefined) {
      frame = frameOf(operands);
      this.#frames.set(key, frame);
    }
    return frame;
  }
}

/**
 * Operands that cannot stand on their lines: what is read comes after all that is written, so when a line with one comes
 * before another with a written one, the statement begins after it.
 */
function cannotStay(operands: readonly AnnotatedOperand[]): readonly AnnotatedOperand[] {
  const lastWritten = operands.findLastIndex(({ direction }) => direction !== "in");
  return operands.slice(
    0,
    operands.findLastIndex(({ direction }, i) => direction === "in" && i < lastWritten) + 1,
  );
}

/** Lets nvcc look at operands on their lines. Lambdas are left out: C++17 has none in what is not evaluated. */
function writeChecks(lines: LineWriter, operands: readonly AnnotatedOperand[]): void {
  for (const { span, expression } of operands) {
    if (!expression.includes("{")) lines.putAt(span.start, ` (void)sizeof((void)(${expression}), 0);`);
  }
}

function writeAsm(
  lines: LineWriter,
  name: string,
  { operands, volatile, memory }: Annotation,
  frame: Frame,
): void {
  const text = [...frame.before, ...markerLines(name, frame, operands), ...frame.after].join(LINE_END);
  lines.put(` asm${volatile ? " volatile" : ""}("${text}"`);
  for (const list of asmLists(operands, memory)) {
    lines.put(" :");
    list.forEach((operand, i) => {
      if (i > 0) lines.put(",");
      if (typeof operand === "string") lines.put(` ${operand}`);
      else lines.putAt(operand.span.start, ` ${binding(operand)}`);
    });
  }
  lines.put(");");
}

function writeMacro(lines: LineWriter, name: string, { operands, volatile, memory }: Annotation): void {
  lines.put(` PTX_INJECT("${escaped(name, true)}"`);
  for (const { span, direction, type, name: own, expression } of operands) {
    const words = own === expression ? expression : `${own}, ${expression}`;
    lines.put(",");
    lines.putAt(span.start, ` PTX_${direction.toUpperCase()}(${type.name}, ${words})`);
  }
  if (volatile) lines.put(", PTX_VOLATILE");
  if (memory) lines.put(", PTX_MEMORY");
  lines.put(");");
}
