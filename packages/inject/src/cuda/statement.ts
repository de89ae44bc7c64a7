// The statement that replaces an annotation. nvcc reports problems with an operand on the line where it is: each
// operand is on its own line as far as the order of an asm statement allows, and the others are checked beforehand
// (`sizeof`, which generates no code).
import type { InjectType, InjectTypes } from "@mm-ptx/types/core";
import { macroType } from "../header/type-lines.js";
import { type Alternatives, namesOf } from "./alternatives.js";
import type { AnnotatedOperand, Annotation } from "./annotation.js";
import { binding, escaped } from "./asm.js";
import { SourceWriter } from "./layout.js";
import { isWord } from "./literal.js";

/** How sites are written. */
export type AnnotationMode = "asm" | "macro";

export const MODES: readonly string[] = ["asm", "macro"] satisfies AnnotationMode[];

/** A name as `escaped` returns it. Most names are words, and detecting that is faster than a regular expression. */
const inString = (name: string, substituted: boolean): string =>
  isWord(name) ? name : escaped(name, substituted);

/** Writes the statements of one source. */
export class StatementWriter {
  readonly #out: SourceWriter;
  readonly #mode: AnnotationMode;
  readonly #types: readonly InjectType[];

  constructor(source: string, mode: AnnotationMode, { types }: InjectTypes) {
    this.#out = new SourceWriter(source);
    this.#mode = mode;
    this.#types = types;
  }

  /**
   * Replaces an annotation by a statement with the same number of line ends. Annotations must come in order.
   *
   * @returns the length of the statement
   */
  replace(annotation: Annotation, alternatives: Alternatives | undefined): number {
    const out = this.#out;
    const { name, operands, comment, shape } = annotation;
    out.begin(comment);
    if (alternatives === undefined) {
      const early = this.#mode === "asm" ? shape.statement.early : 0;
      if (early > 0) out.put("{");
      this.#checks(operands, early);
      this.#site(name, annotation);
      if (early > 0) out.putApart("}");
    } else {
      out.put("{");
      this.#checks(operands, operands.length);
      out.putApart(`switch (${alternatives.select}) {`);
      namesOf(name, alternatives).forEach((own, i) => {
        out.putApart(`case ${i}:`);
        this.#site(own, annotation);
        out.putApart("break;");
      });
      out.putApart("} }");
    }
    return out.end();
  }

  /** The whole text. */
  finish(): string {
    return this.#out.finish();
  }

  /**
   * Lets nvcc check operands on their own lines. Lambdas are skipped, because C++17 forbids them in unevaluated
   * operands.
   */
  #checks(operands: readonly AnnotatedOperand[], count: number): void {
    for (let i = 0; i < count; i++) {
      const { span, expression } = operands[i]!;
      if (!expression.includes("{")) this.#out.putAt(span.start, `(void)sizeof((void)(${expression}), 0);`);
    }
  }

  #site(name: string, annotation: Annotation): void {
    if (this.#mode === "macro") this.#macro(name, annotation);
    else this.#asm(name, annotation);
  }

  #asm(name: string, { operands, volatile, memory, shape }: Annotation): void {
    const out = this.#out;
    const { before, marks, after, listed, firstRead } = shape.statement;
    const substituted = operands.length > 0;
    let text = `${before}// PTX_INJECT_START ${inString(name, substituted)}`;
    for (let i = 0; i < marks.length; i++)
      text += marks[i] + inString(operands[shape.canonical[i]!]!.name, substituted);
    out.putApart((volatile ? 'asm volatile("' : 'asm("') + text + after);
    for (let i = 0; i < listed.length; i++) {
      const operand = operands[listed[i]!]!;
      if (i === 0 && firstRead === 0) out.putApart(":");
      if (i === 0 || i === firstRead) out.putApart(":");
      else out.put(",");
      out.putAt(operand.span.start, binding(operand));
    }
    if (memory) {
      const lists = listed.length === 0 ? " : :" : firstRead === listed.length ? " :" : "";
      out.put(`${lists} : "memory"`);
    }
    out.put(");");
  }

  #macro(name: string, { operands, volatile, memory }: Annotation): void {
    const out = this.#out;
    out.putApart(`PTX_INJECT("${escaped(name, true)}"`);
    for (const { span, direction, type, name: own, expression } of operands) {
      const words = own === expression ? expression : `${own}, ${expression}`;
      out.put(",");
      out.putAt(span.start, `PTX_${direction.toUpperCase()}(${macroType(this.#types, type).name}, ${words})`);
    }
    if (volatile) out.put(", PTX_VOLATILE");
    if (memory) out.put(", PTX_MEMORY");
    out.put(");");
  }
}
