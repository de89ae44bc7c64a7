// Sites of mm-ptx 0.x, whose operand lines name registers of the kernel: `// %f1 mod f32 y`. They are converted into
// 1.1 sites: a scope with registers `_x0`, `_x1`, … (or with another prefix) in the order of the lines, moves into them
// and moves out of them. A constant that the compiler substitutes for a register (constraint `n`) is also moved in.
import { type InjectType, type InjectTypes, injectType, type Span, TableError } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { unknownType } from "../lookup.js";
import type { Direction, Operand } from "./marker.js";
import { fail, isBlank, skipBlanks, skipWord, trimBlanks } from "./text.js";

/** What 0.x sites leave open: their types, and the names of the registers that stubs use, `_x0` for the prefix `_x`. */
export interface LegacyForm {
  readonly types: InjectTypes;
  readonly prefix: string;
}

/** The prefix of the registers of 1.1 sites. */
export const DEFAULT_PREFIX = "_x";

/** An operand line as read. */
export interface LegacyOperand {
  readonly operand: Operand;
  /** The first word of the line: a register of the kernel with its `%`, or a constant. */
  readonly register: Span;
  /** The type of the moves. */
  readonly movType: string;
}

/** The text around the stub of a site that makes it a 1.1 site, without a final line end. */
export interface Normalized {
  readonly before: string;
  readonly after: string;
}

const CR = 13;
const PERCENT = 37;
const SLASH = 47;
const REGISTER = /^%[\w$]+$/;
const CONSTANT = /^[-+]?\d[\w.+-]*$/;
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ["in", "in"],
  ["out", "out"],
  ["mod", "mod"],
]);

/** Whether a 0.x line begins at the word: with a register of the kernel, or a constant followed by a direction. */
export function isLegacyLine(text: string, word: number, end: number): boolean {
  if (text.charCodeAt(word) === PERCENT) return true;
  const wordEnd = skipWord(text, word, end);
  const direction = skipBlanks(text, wordEnd, end);
  return (
    CONSTANT.test(text.slice(word, wordEnd)) &&
    DIRECTIONS.has(text.slice(direction, skipWord(text, direction, end)))
  );
}

/** Reads `register direction type name` from `word` on; `end` is the end of the line. */
export function readLegacyOperand(
  text: string,
  word: number,
  end: number,
  index: number,
  { types, prefix }: LegacyForm,
): LegacyOperand {
  const register = { start: word, end: skipWord(text, word, end) };
  const from = text.slice(word, register.end);
  const constant = CONSTANT.test(from);
  if (!constant && !REGISTER.test(from))
    fail(text, word, register.end, `expected a register or a constant, found ${quoted(from)}`);
  const at = skipBlanks(text, register.end, end);
  const atEnd = skipWord(text, at, end);
  const direction = DIRECTIONS.get(text.slice(at, atEnd));
  if (direction === undefined) {
    const found = at === end ? "the end of the line" : quoted(text.slice(at, atEnd));
    fail(text, at, atEnd, `expected \`in\`, \`out\` or \`mod\` after the register, found ${found}`);
  }
  if (constant && direction !== "in")
    fail(text, word, register.end, `expected a register that is written, found ${quoted(from)}`);
  const type = skipBlanks(text, atEnd, end);
  const typeEnd = skipWord(text, type, end);
  if (type === end) fail(text, word, end, "expected a type after the direction, found the end of the line");
  const name = skipBlanks(text, typeEnd, end);
  if (name === end) fail(text, word, end, "expected a name after the type, found the end of the line");
  const { registerType, movPostfix } = typeAt(text, { start: type, end: typeEnd }, types);
  const operand: Operand = {
    name: text.substring(name, trimBlanks(text, name, end)),
    index,
    direction,
    register: `${prefix}${index}`,
    registerType,
    type: text.substring(type, typeEnd),
  };
  return { operand, register, movType: movPostfix };
}

function typeAt(text: string, span: Span, types: InjectTypes): InjectType {
  const word = text.slice(span.start, span.end);
  try {
    return injectType(types, word);
  } catch (error) {
    if (!(error instanceof TableError) || error.code !== "NOT_FOUND") throw error;
    const names = types.types.map(({ name }) => name);
    throw new PtxInjectError("UNKNOWN_TYPE", unknownType(word, names), { text, span });
  }
}

/** The offset after a register of the kernel at `at`, or -1 if there is none. */
export function skipRegister(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1;
  let end = at + 1;
  while (isWordCharacter(text.charCodeAt(end))) end++;
  return end === at + 1 ? -1 : end;
}

/** Letters, digits, `_` and `$`. */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36;

/** The kernel's registers and constants, as written, at the 0.x site that begins at `start`, one for each operand. */
export function legacyRegisters(
  text: string,
  start: number,
  operands: readonly Operand[],
): readonly string[] {
  let newline = text.indexOf("\n", start);
  return operands.map(() => {
    let word = newline + 1;
    while (isBlank(text.charCodeAt(word)) || text.charCodeAt(word) === SLASH) word++;
    newline = text.indexOf("\n", word);
    return text.slice(word, skipWord(text, word, newline));
  });
}

/**
 * The text around the stub of the 0.x site that spans from `start` to `end`.
 *
 * @param movTypes the type of the moves of each operand
 */
export function normalize(
  text: string,
  start: number,
  end: number,
  operands: readonly Operand[],
  movTypes: readonly string[],
): Normalized {
  const registers = legacyRegisters(text, start, operands);
  const before = ["\t{"];
  const after = [""];
  for (const { register, registerType } of operands) before.push(`\t.reg .${registerType} %${register};`);
  for (const { index, direction, register } of operands) {
    const [mov, own] = [`\tmov.${movTypes[index]}`, registers[index]];
    if (direction !== "out") before.push(`${mov} %${register}, ${own};`);
    if (direction !== "in") after.push(`${mov} ${own}, %${register};`);
  }
  before.push("");
  after.push("\t}");
  // All lines of a site end in the same way as its last line.
  const newline = text.charCodeAt(end) === CR ? "\r\n" : "\n";
  return { before: before.join(newline), after: after.join(newline) };
}
