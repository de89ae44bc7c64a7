// Reads the comment of an annotation: its name, then one operand a line. What is wrong is collected, so that one look at a
// source finds all of it.
import { didYouMean, type InjectType, nearest, quoted, type Span } from "@mm-ptx/types/core";
import type { PtxInjectErrorCode } from "../error.js";
import type { Direction } from "../marked/marker.js";
import { skipBlanks, skipWord, trimBlanks } from "../marked/text.js";
import { readOperandText } from "./expression.js";
import { type Line, linesOf } from "./line.js";
import { isBlank, isWordCode, skipContinuations } from "./literal.js";
import type { Comment } from "./scan.js";

/** Something wrong or odd, and where. */
export interface Finding {
  readonly code: PtxInjectErrorCode;
  readonly message: string;
  readonly span: Span;
}

/** An operand as annotated. */
export interface AnnotatedOperand {
  readonly name: string;
  readonly direction: Direction;
  readonly type: InjectType;
  readonly expression: string;
  /** From its direction to the end of its name. */
  readonly span: Span;
}

/** A comment that is an annotation. */
export interface Annotation {
  readonly name: string;
  readonly comment: Comment;
  /** In the order of the source. */
  readonly operands: readonly AnnotatedOperand[];
}

export const HEADER = "PTX_INJECT";
const DIRECTIONS: readonly string[] = ["in", "out", "mod"] satisfies Direction[];

/** Whether a comment may be an annotation, or look like one: its first word begins with `P`. */
export function mayBeAnnotation(text: string, body: number): boolean {
  let at = body;
  // In many comments nothing but the first two signs is looked at.
  for (let code = text.charCodeAt(at); isBlank(code) || code === 10 || code === 42 || code === 92; ) {
    const next = skipContinuations(text, at);
    at = next === at ? at + 1 : next;
    code = text.charCodeAt(at);
  }
  return (text.charCodeAt(at) | 32) === 112;
}

/** Reads the annotations of one source. */
export class AnnotationReader {
  readonly problems: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly #source: string;
  readonly #types: ReadonlyMap<string, InjectType>;

  constructor(source: string, types: ReadonlyMap<string, InjectType>) {
    this.#source = source;
    this.#types = types;
  }

  /** The annotation that a comment is, or `undefined` when it is another comment or breaks the rules. */
  read(comment: Comment): Annotation | undefined {
    const lines = linesOf(this.#source, comment.body, comment.inDirective);
    const header = lines[0]!;
    const sign = ` ${HEADER}`;
    if (!header.text.startsWith(sign) || isWordCode(header.text.charCodeAt(sign.length))) {
      this.#warnOfLikeness(lines);
      return undefined;
    }
    const known = this.problems.length;
    if (!comment.closed) {
      const span = { start: comment.start, end: header.span(0, sign.length).end };
      this.#complain(
        "FORMATTING",
        "expected `*/` at the end of this annotation, found the end of the text",
        span,
      );
      return undefined;
    }
    const name = this.#readName(header, sign.length);
    const operands = this.#readOperands(lines.slice(1));
    return this.problems.length === known ? { name, comment, operands } : undefined;
  }

  #readName(header: Line, from: number): string {
    const { text } = header;
    const start = skipBlanks(text, from, text.length);
    const remark = text.indexOf("//", start);
    const end = trimBlanks(text, start, remark === -1 ? text.length : remark);
    const name = text.slice(start, end);
    if (name === "") {
      const message = `expected a name after \`/* ${HEADER}\`, found the end of the line`;
      this.#complain("FORMATTING", message, header.span(0, from));
    } else if (/\s(in|out|mod)\s/.test(name)) {
      const message = `expected operands on lines of their own, found ${quoted(name)} as name`;
      this.#complain("FORMATTING", message, header.span(start, end));
    }
    return name;
  }

  #readOperands(lines: readonly Line[]): readonly AnnotatedOperand[] {
    const operands: AnnotatedOperand[] = [];
    const names = new Set<string>();
    for (const line of lines) {
      const operand = this.#readOperand(line);
      if (operand === undefined) continue;
      if (names.has(operand.name)) {
        const message = `expected operands of different names, found a second ${quoted(operand.name)}`;
        this.#complain("DUPLICATE_OPERAND", message, operand.span);
      }
      names.add(operand.name);
      operands.push(operand);
    }
    return operands;
  }

  #readOperand(line: Line): AnnotatedOperand | undefined {
    const { text } = line;
    const start = skipBlanks(text, 0, text.length);
    if (start === text.length || text.startsWith("//", start)) return undefined;
    const directionEnd = skipWord(text, start, text.length);
    const direction = text.slice(start, directionEnd);
    if (!DIRECTIONS.includes(direction)) {
      const message = `expected \`in\`, \`out\` or \`mod\`, found ${quoted(direction)}${didYouMean(direction, DIRECTIONS)}`;
      return this.#complain("FORMATTING", message, line.span(start, directionEnd));
    }
    const typeStart = skipBlanks(text, directionEnd, text.length);
    const typeEnd = skipWord(text, typeStart, text.length);
    if (typeStart === typeEnd) {
      const message = `expected a type and an operand after \`${direction}\`, found the end of the line`;
      return this.#complain("FORMATTING", message, line.span(start, directionEnd));
    }
    const word = text.slice(typeStart, typeEnd);
    const type = this.#types.get(word);
    if (type === undefined) {
      const message = `expected a type (${[...this.#types.keys()].map(quoted).join(", ")}), found ${quoted(word)}`;
      return this.#complain(
        "UNKNOWN_TYPE",
        `${message}${didYouMean(word, this.#types.keys())}`,
        line.span(typeStart, typeEnd),
      );
    }
    const from = skipBlanks(text, typeEnd, text.length);
    const { expression, name = expression, problem } = readOperandText(text, from);
    if (expression.start === expression.end) {
      const message = `expected an operand after \`${direction} ${word}\`, found the end of the line`;
      return this.#complain("FORMATTING", message, line.span(start, typeEnd));
    }
    if (problem !== undefined)
      return this.#complain("FORMATTING", problem.message, line.span(problem.start, problem.end));
    return {
      name: text.slice(name.start, name.end),
      direction: direction as Direction,
      type,
      expression: text.slice(expression.start, expression.end),
      span: line.span(start, name.end),
    };
  }

  /** A comment that is no annotation but reads like one: the header's word written otherwise, then a name or operands. */
  #warnOfLikeness(lines: readonly Line[]): void {
    const index = lines.findIndex(({ text }) => /[^\s*]/.test(text));
    const header = lines[index];
    const [, lead, word, rest] = /^([\s*]*)([\w-]+)(.*)$/.exec(header?.text ?? "") ?? [];
    if (lead === undefined || word === undefined || nearest(word, [HEADER]) === undefined) return;
    const named = /^\s*:?\s*\S+\s*$/.test(rest!);
    if (!named && !lines.slice(index + 1).some(({ text }) => /^\s*(in|out|mod)\s+\S+\s+\S/.test(text)))
      return;
    const message = `expected exactly \`/* ${HEADER}\` and a name, found ${quoted(`/*${header!.text}`)}: this comment is left alone`;
    const span = header!.span(lead.length, lead.length + word.length);
    this.warnings.push({ code: "FORMATTING", message, span });
  }

  #complain(code: PtxInjectErrorCode, message: string, span: Span): undefined {
    this.problems.push({ code, message, span });
  }
}
