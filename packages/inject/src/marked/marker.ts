// The grammar of one site, from the name after its start marker to the line end of its end marker. Only the first site
// of each name, and sites that are written differently, are parsed here; see scan.ts.
import type { Span } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { isLegacyLine, type LegacyForm, readLegacyOperand } from "./legacy.js";
import { fail, isBlank, lineEnd, skipBlanks, skipWord, trimBlanks } from "./text.js";

/** The text at the beginning of a site, after `// `. */
export const START = "PTX_INJECT_START";
export const END = "PTX_INJECT_END";
const END_LINE = `// ${END}`;

/** The stub reads `in`, writes `out`, and does both with `mod`. */
export type Direction = "in" | "out" | "mod";

/** A value that passes between the kernel and the stub. */
export interface Operand {
  /** The name given in the CUDA source. */
  readonly name: string;
  /** The index in `Injection.operands`. */
  readonly index: number;
  readonly direction: Direction;
  /** The register that a stub uses for it, without `%`, for example `_x0`. */
  readonly register: string;
  /** The PTX type of the register, for example `f32`. */
  readonly registerType: string;
  /** The type word of the CUDA source, for example `F32`. */
  readonly type: string;
}

/** The letter of each direction in an operand line. */
export const LETTERS: Readonly<Record<Direction, string>> = { mod: "m", out: "o", in: "i" };

/** An operand as its line states it, after the slashes and a blank. */
export const operandText = ({ register, direction, registerType, type, name }: Operand): string =>
  `${register} ${LETTERS[direction]} ${registerType} ${type} ${name}`;

/** A whole site without a line end after it, in the form that the scanner reads. */
export function markerText(name: string, operands: readonly Operand[]): string {
  const lines = [`${START} ${name}`, ...operands.map(operandText), END];
  return lines.map((line) => `\t// ${line}`).join("\n");
}

/** A site as read; all numbers are offsets into the text. */
export interface MarkedSite {
  readonly operands: readonly Operand[];
  /** For a site of mm-ptx 0.x, the `mov` type of each operand. */
  readonly movTypes: readonly string[] | undefined;
  /** For a site of mm-ptx 0.x, the positions of its registers, which belong to the kernel and differ between sites. */
  readonly registers: readonly Span[];
  /** Of the line end after the end marker: what a stub replaces ends here. */
  readonly end: number;
  /** The offset after that line end. */
  readonly next: number;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const PERCENT = 37;
const SLASH = 47;
const P = 80;
const I = 105;
const M = 109;
const O = 111;

/** The beginning of the name after a start marker; `at` is the offset after the marker. */
export function nameStart(text: string, at: number): number {
  let start = at;
  while (isBlank(text.charCodeAt(start))) start++;
  const code = text.charCodeAt(start);
  if (start === at || code === LF || (code === CR && text.charCodeAt(start + 1) === LF)) failName(text, at);
  return start;
}

/** Reports what is wrong with the line of a start marker that ends at `at`. */
export function failName(text: string, at: number): never {
  const marker = at - START.length - 3;
  const newline = text.indexOf("\n", at);
  if (newline === -1) {
    const message =
      "expected operands and `// PTX_INJECT_END` after the start of a site, found the end of the text";
    fail(text, marker, text.length, message);
  }
  const end = lineEnd(text, at, newline);
  if (skipBlanks(text, at, end) === end)
    fail(text, marker, end, `expected a name after \`// ${START}\`, found the end of the line`);
  const found = quoted(text.slice(at, end));
  fail(text, at, end, `expected a blank and a name after \`// ${START}\`, found ${found}`);
}

/**
 * Reads operand lines up to and including the end marker; `marker` is the offset of the site's start marker. The first
 * line determines whether the site is one of mm-ptx 1.1 or 0.x.
 *
 * @param count for a name that had a site before, the number of its operands; a different number is reported as soon as
 * it is known, so before anything that is wrong after it
 */
export function readOperands(
  text: string,
  marker: number,
  at: number,
  legacy: LegacyForm,
  count: number | undefined,
): MarkedSite {
  const operands: Operand[] = [];
  const registers: Span[] = [];
  let movTypes: string[] | undefined;
  for (let line = at; ; ) {
    const newline = text.indexOf("\n", line);
    const end = newline === -1 ? text.length : lineEnd(text, line, newline);
    const slashes = skipBlanks(text, line, end);
    if (text.charCodeAt(slashes + 3) === P && text.startsWith(END_LINE, slashes)) {
      const markerEnd = slashes + END_LINE.length;
      if (count !== undefined && operands.length < count)
        failCount(text, marker, { start: slashes, end: markerEnd }, count, `${operands.length}`);
      if (newline === -1) failUnclosed(text, marker, line);
      if (markerEnd !== end) failEnd(text, slashes, end);
      return { operands, movTypes, registers, end, next: newline + 1 };
    }
    if (newline === -1) failUnclosed(text, marker, line);
    const word = operandStart(text, line, slashes, end);
    if (operands.length === 0 && isLegacyLine(text, word, end)) movTypes = [];
    if (movTypes === undefined) operands.push(readOperand(text, slashes, word, end, operands.length));
    else {
      const { operand, register, movType } = readLegacyOperand(text, word, end, operands.length, legacy);
      operands.push(operand);
      registers.push(register);
      movTypes.push(movType);
    }
    if (count !== undefined && operands.length > count)
      failCount(text, marker, { start: slashes, end }, count, "another one");
    line = newline + 1;
  }
}

/** The first word of an operand line; `line`, `slashes` and `end` are where the line, its slashes and its end are. */
function operandStart(text: string, line: number, slashes: number, end: number): number {
  if (slashes === end)
    fail(text, line, end, "expected an operand or `// PTX_INJECT_END`, found an empty line");
  if (text.charCodeAt(slashes) !== SLASH || text.charCodeAt(slashes + 1) !== SLASH) {
    const found = quoted(text.slice(slashes, end));
    fail(text, slashes, end, `expected an operand or \`// PTX_INJECT_END\`, found ${found}`);
  }
  const word = skipBlanks(text, slashes + 2, end);
  if (word === end) fail(text, slashes, end, "expected a register after `//`, found the end of the line");
  if (text.charCodeAt(word) === P && text.slice(word, end) === END) failEnd(text, slashes, end);
  if (word === slashes + 2) fail(text, slashes, end, "expected a blank after `//`");
  return word;
}

/**
 * Reports a site whose number of operands differs from that of the first site of its name.
 *
 * @param marker the offset of the site's start marker
 * @param span the end marker, or the operand that is one too many
 * @throws PtxInjectError INCONSISTENT_INJECTION
 */
function failCount(text: string, marker: number, span: Span, count: number, found: string): never {
  const start = nameStart(text, marker + START.length + 3);
  const end = lineEnd(text, start, text.indexOf("\n", start));
  const name = quoted(text.slice(start, trimBlanks(text, start, end)));
  const expected = `${count} operand${count === 1 ? "" : "s"} as at the first site of ${name}`;
  const message = `expected ${expected}, found ${found}`;
  throw new PtxInjectError("INCONSISTENT_INJECTION", message, { text, span });
}

function failEnd(text: string, slashes: number, end: number): never {
  fail(text, slashes, end, `expected exactly \`${END_LINE}\`, found ${quoted(text.slice(slashes, end))}`);
}

/** Reads `// register m type word name`; `slashes` and `end` delimit the line, `word` is the offset of the register. */
function readOperand(text: string, slashes: number, word: number, end: number, index: number): Operand {
  const registerEnd = skipWord(text, word, end);
  if (text.charCodeAt(word) === PERCENT) {
    const found = quoted(text.slice(word, registerEnd));
    fail(
      text,
      word,
      registerEnd,
      `expected a register without \`%\`, as on the lines before, found ${found}`,
    );
  }
  const letter = registerEnd + 1;
  const direction =
    text.charCodeAt(registerEnd) === SPACE && letter < end ? directionOf(text.charCodeAt(letter)) : undefined;
  if (direction === undefined || (letter + 1 < end && !isBlank(text.charCodeAt(letter + 1)))) {
    const found =
      letter < end ? quoted(text.slice(registerEnd, skipWord(text, letter, end))) : "the end of the line";
    fail(
      text,
      registerEnd,
      end,
      `expected one space and \`m\`, \`o\` or \`i\` after the register, found ${found}`,
    );
  }
  const type = skipBlanks(text, letter + 1, end);
  const typeEnd = skipWord(text, type, end);
  const token = skipBlanks(text, typeEnd, end);
  const tokenEnd = skipWord(text, token, end);
  const name = skipBlanks(text, tokenEnd, end);
  const nameEnd = trimBlanks(text, name, end);
  if (type === end)
    fail(text, slashes, end, "expected a register type after the direction, found the end of the line");
  if (token === end)
    fail(text, slashes, end, "expected a type word after the register type, found the end of the line");
  if (name === end)
    fail(text, slashes, end, "expected a name after the type word, found the end of the line");
  return {
    name: text.substring(name, nameEnd),
    index,
    direction,
    register: text.substring(word, registerEnd),
    registerType: text.substring(type, typeEnd),
    type: text.substring(token, tokenEnd),
  };
}

function directionOf(letter: number): Direction | undefined {
  if (letter === I) return "in";
  if (letter === O) return "out";
  return letter === M ? "mod" : undefined;
}

/** The line of operand `index` of the site whose operand lines begin at `at`, without its indentation. */
export function operandSpan(text: string, at: number, index: number): Span {
  let line = at;
  for (let i = 0; i < index; i++) line = text.indexOf("\n", line) + 1;
  const end = lineEnd(text, line, text.indexOf("\n", line));
  return { start: skipBlanks(text, line, end), end };
}

function failUnclosed(text: string, marker: number, last: number): never {
  const found =
    last === text.length ? "the end of the text" : `${quoted(text.slice(last))} and the end of the text`;
  const newline = text.indexOf("\n", marker);
  fail(text, marker, lineEnd(text, marker, newline), `expected \`// ${END}\` for this site, found ${found}`);
}
