// Reads the comment of an annotation: its name, then one operand per line. All problems are collected, so that a single
// pass over a source finds every one.
import type { InjectType, InjectTypes, Span } from "@mm-ptx/types/core";
import { didYouMean, nearest, quoted } from "@mm-ptx/types/internal";
import type { PtxInjectErrorCode } from "../error.js";
import { unknownType } from "../lookup.js";
import type { Direction } from "../marked/marker.js";
import { skipBlanks, skipWord } from "../marked/text.js";
import type { Effects } from "./asm.js";
import { Body } from "./body.js";
import { OperandReader } from "./expression.js";
import { isBlank, isWord } from "./literal.js";
import { nameProblem, type TypedOperand } from "./operand.js";
import type { Finding } from "./problems.js";
import { type Comment, CommentScanner } from "./scan.js";
import { Shape } from "./shape.js";

/** An operand as annotated. */
export interface AnnotatedOperand extends TypedOperand {
  /** From its direction to the end of its name. */
  readonly span: Span;
}

/** A comment that is an annotation. */
export interface Annotation extends Effects {
  readonly name: string;
  readonly comment: Comment;
  /** In source order. */
  readonly operands: readonly AnnotatedOperand[];
  readonly shape: Shape;
}

const HEADER = "PTX_INJECT";
/** The beginning of an annotation's comment. */
const SIGN = ` ${HEADER}`;
const DIRECTIONS: readonly string[] = ["in", "out", "mod"] satisfies Direction[];
/** Lines of one word that are not operands. */
const EFFECTS: readonly string[] = ["volatile", "memory"] satisfies (keyof Effects)[];

const FEW = 16;

/** Reads the annotations of one source. */
export class AnnotationReader {
  readonly problems: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly #source: string;
  readonly #types: ReadonlyMap<string, InjectType>;
  readonly #scanner: CommentScanner;
  readonly #operand = new OperandReader();
  readonly #noOperands = new Shape();
  /** The operand names of one annotation, if it has many operands. */
  #names = new Set<string>();

  constructor(source: string, { types }: InjectTypes) {
    this.#source = source;
    this.#types = new Map(types.map((type) => [type.name, type]));
    this.#scanner = new CommentScanner(source);
  }

  /** The next valid annotation, or `undefined` at the end of the source. */
  next(): Annotation | undefined {
    for (let comment = this.#scanner.next(); comment !== undefined; comment = this.#scanner.next()) {
      const annotation = comment.branch.dead ? undefined : this.read(comment);
      if (annotation !== undefined) return annotation;
    }
    const { unclosed } = this.#scanner;
    if (unclosed !== undefined) this.problems.push(unclosed);
    return undefined;
  }

  /** The annotation in a comment, or `undefined` if it is a different comment or breaks the rules. */
  read(comment: Comment): Annotation | undefined {
    const body = new Body(this.#source, comment);
    const { text } = body;
    const after = text.charCodeAt(SIGN.length);
    if (!text.startsWith(SIGN) || !(isBlank(after) || after === NEWLINE || text.length === SIGN.length)) {
      this.#warnOfLikeness(body);
      return undefined;
    }
    const known = this.problems.length;
    const firstEnd = lineEnd(text, 0);
    const name = this.#readName(comment, body, firstEnd);
    const operands: AnnotatedOperand[] = [];
    const effects: string[] = [];
    for (let start = firstEnd + 1; start < text.length; ) {
      const end = lineEnd(text, start);
      this.#readLine(body, skipBlanks(text, start, end), trimmed(text, start, end), operands, effects);
      start = end + 1;
    }
    if (this.problems.length > known) return undefined;
    let shape = this.#noOperands;
    for (const { direction, type } of operands) shape = shape.with(direction, type);
    return {
      name,
      comment,
      operands,
      shape,
      volatile: effects.includes("volatile"),
      memory: effects.includes("memory"),
    };
  }

  #readName({ start }: Comment, body: Body, lineEnd: number): string {
    const { text } = body;
    const nameStart = skipBlanks(text, SIGN.length, lineEnd);
    const line = text.substring(nameStart, lineEnd);
    const remark = line.indexOf("//");
    const nameEnd = nameStart + trimmed(line, 0, remark === -1 ? line.length : remark);
    const name = text.substring(nameStart, nameEnd);
    if (name !== "" && isWord(name)) return name;
    if (name === "") {
      const message = `expected a name after \`/* ${HEADER}\`, found the end of the line`;
      this.#complain("FORMATTING", message, { start, end: body.span(0, SIGN.length).end });
    } else if (/\s/.test(name) || nameProblem(name) !== undefined) {
      const message = `expected one word as name, and operands on lines of their own, found ${quoted(name)}`;
      this.#complain("FORMATTING", message, body.span(nameStart, nameEnd));
    }
    return name;
  }

  #readLine(body: Body, start: number, end: number, operands: AnnotatedOperand[], effects: string[]): void {
    const { text } = body;
    if (start >= end || text.startsWith("//", start)) return;
    const wordEnd = skipWord(text, start, end);
    const word = text.substring(start, wordEnd);
    if (EFFECTS.includes(word)) {
      const rest = skipBlanks(text, wordEnd, end);
      if (rest === end || text.startsWith("//", rest)) effects.push(word);
      else this.#complain("FORMATTING", `expected \`${word}\` on a line of its own`, body.span(start, end));
      return;
    }
    const operand = this.#readOperand(body, start, wordEnd, end);
    if (operand === undefined) return;
    if (this.#isKnown(operand.name, operands)) {
      const message = `expected operands of different names, found a second ${quoted(operand.name)}`;
      this.#complain("DUPLICATE_OPERAND", message, operand.span);
    }
    operands.push(operand);
  }

  /** Whether one of the operands has this name. The name counts as used from then on. */
  #isKnown(name: string, operands: readonly AnnotatedOperand[]): boolean {
    // For a few operands, a set is slower than a linear search.
    if (operands.length < FEW) return operands.some((operand) => operand.name === name);
    if (operands.length === FEW) this.#names = new Set(operands.map((operand) => operand.name));
    const known = this.#names.has(name);
    this.#names.add(name);
    return known;
  }

  /** Reads `direction type operand`; `start` to `end` is the line, `directionEnd` the end of its first word. */
  #readOperand(body: Body, start: number, directionEnd: number, end: number): AnnotatedOperand | undefined {
    const { text } = body;
    const direction = text.substring(start, directionEnd);
    if (!DIRECTIONS.includes(direction)) {
      const message = `expected \`in\`, \`out\` or \`mod\`, found ${quoted(direction)}${didYouMean(direction, DIRECTIONS)}`;
      return this.#complain("FORMATTING", message, body.span(start, directionEnd));
    }
    const typeStart = skipBlanks(text, directionEnd, end);
    const typeEnd = skipWord(text, typeStart, end);
    if (typeStart === end || text.startsWith("//", typeStart)) {
      const message = `expected a type and an operand after \`${direction}\`, found the end of the line`;
      return this.#complain("FORMATTING", message, body.span(start, directionEnd));
    }
    const word = text.substring(typeStart, typeEnd);
    const type = this.#types.get(word);
    if (type === undefined) {
      const message = unknownType(word, [...this.#types.keys()]);
      return this.#complain("UNKNOWN_TYPE", message, body.span(typeStart, typeEnd));
    }
    const from = skipBlanks(text, typeEnd, end);
    const parts = this.#operand;
    parts.read(text, from, end);
    if (parts.expressionEnd === from) {
      const message = `expected an operand after \`${direction} ${word}\`, found the end of the line`;
      return this.#complain("FORMATTING", message, body.span(start, typeEnd));
    }
    if (parts.problem !== undefined) {
      const { message, start: first, end: last } = parts.problem;
      return this.#complain("FORMATTING", message, body.span(first, last));
    }
    const expression = text.substring(from, parts.expressionEnd);
    const named = parts.nameStart !== -1;
    const name = named ? text.substring(parts.nameStart, parts.nameEnd) : expression;
    const span = body.span(start, named ? parts.nameEnd : parts.expressionEnd);
    return { name, direction: direction as Direction, type, expression, span };
  }

  /**
   * Warns about a comment that resembles an annotation: the header's word in a different spelling, followed by a name
   * or operands.
   */
  #warnOfLikeness(body: Body): void {
    const [, lead, word, rest, more] = LIKENESS.exec(body.text) ?? [];
    if (lead === undefined || word === undefined || nearest(word, [HEADER]) === undefined) return;
    // Prose may mention `PTX inject`, and documentation comments start with special characters.
    const isWord = /^[\s*]*$/.test(lead) && !/\s/.test(word);
    if (!(isWord && /^[:\s]\s*\S+\s*$/.test(rest!)) && !OPERAND_LINE.test(more!)) return;
    const found = quoted(`/*${lead}${word}${rest}`.trimEnd());
    this.warnings.push({
      code: "FORMATTING",
      message: `expected exactly \`/* ${HEADER}\` and a name, found ${found}: this comment is left alone`,
      span: body.span(lead.length, lead.length + word.length),
    });
  }

  #complain(code: PtxInjectErrorCode, message: string, span: Span): undefined {
    this.problems.push({ code, message, span });
  }
}

/** Blanks, stars and documentation characters, a word or two, the rest of the line, and all other lines. */
const LIKENESS = /^([\s*!@\\]*)([Pp][Tt][Xx][ \t]+[Ii][Nn][Jj][Ee][Cc][Tt]\b|[\w-]+)([^\n]*)(.*)$/s;
const OPERAND_LINE = /^[ \t]*(in|out|mod)[ \t]+\S+[ \t]+\S/m;
const NEWLINE = 10;

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline;
}

/** The offset of the trailing blanks of a line, including a carriage return. */
function trimmed(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}
