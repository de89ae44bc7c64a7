// Disassembles programs, one instruction per line. Every word sequence has a text that assembles to the same words:
// instructions that no mnemonic can express are written as `.word`.
import type { StackTable } from "@mm-ptx/types/core";
import { latin1 } from "../emit/string.js";
import { StackPtxError } from "../error.js";
import { InstructionType, META_OPERATION_NAMES, Packed } from "../layout.js";
import { checkProgram, type StackProgram } from "../program.js";
import { BARE_BITS } from "./constants.js";
import { labelNames, type ProgramLabels } from "./labels.js";
import { type Names, perTable, RESERVED, tableNames } from "./names.js";
import { LONGEST_NUMBER, writeBits, writeDecimal } from "./numbers.js";
import { DIRECTIVES, Directive, MNEMONICS, NO_LABEL, Operand } from "./syntax.js";
import { TextList } from "./text-list.js";

const BLANK = 0x20;
const NEWLINE = 0x0a;
/** The most characters of a string in V8; other engines allow more. */
const LONGEST_TEXT = 2 ** 29 - 24;

/**
 * Returns a program as text that `assemble` turns back into the same words, whatever they are. Constants are decimals
 * where those are exact. When there are labels, the text begins with the directives that declare them.
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind, or the text would be longer than any
 * string can be
 */
export function disassemble(program: StackProgram, table: StackTable, labels: ProgramLabels = {}): string {
  checkProgram(program);
  const names = labelNames(labels);
  const heading =
    directive(Directive.registers, names.registers) + directive(Directive.routines, names.routines);
  return new Disassembler(table, names.registers, names.routines).text(heading, program.words);
}

/** `.registers x y`, or nothing when there are no labels. */
function directive(kind: Directive, { written }: Names): string {
  const count = written.findLastIndex((word) => word !== undefined) + 1;
  if (count === 0) return "";
  return `${[DIRECTIVES[kind], ...written.slice(0, count).map((word) => word ?? NO_LABEL)].join(" ")}\n`;
}

/** First words of lines, each with the blank that follows it. */
const FIRST_WORDS = new TextList([
  ...MNEMONICS.map(({ word, stack, operand }) => (stack || operand !== Operand.none ? `${word} ` : word)),
  `${DIRECTIVES[Directive.word]} `,
]);
const WORD_DIRECTIVE = MNEMONICS.length;

/**
 * The index in `MNEMONICS` of each instruction type (for meta instructions, that of operation 0); -1 when there is
 * none.
 */
const MNEMONIC_OF = Int32Array.from(
  { length: Math.max(...MNEMONICS.map(({ code }) => code)) + 1 },
  (_, code) => MNEMONICS.findIndex((mnemonic) => mnemonic.code === code && mnemonic.payload === 0),
);

/** The texts of a table's entries. */
const tableTexts = perTable((table) => {
  const { instructions, specials, stacks, constants } = tableNames(table);
  const lines = instructions.written.map((name, index) =>
    name === undefined ? `ptx ${index}` : RESERVED.has(name) ? `ptx ${name}` : name,
  );
  return {
    /** The complete line of each PTX instruction. */
    lines: new TextList(lines),
    specials: new TextList(specials.written),
    stacks: new TextList(stacks.written),
    constants,
  };
});

class Disassembler {
  readonly #table: ReturnType<typeof tableTexts>;
  /** The texts of each kind of operand that has names. */
  readonly #operands: readonly (TextList | undefined)[];
  readonly #longestLine: number;

  constructor(table: StackTable, registers: Names, routines: Names) {
    this.#table = tableTexts(table);
    const { lines, specials, stacks } = this.#table;
    const operands: TextList[] = [];
    operands[Operand.special] = specials;
    operands[Operand.register] = new TextList(registers.written);
    operands[Operand.routine] = new TextList(routines.written);
    this.#operands = operands;
    this.#longestLine = [FIRST_WORDS, lines, stacks, ...operands].reduce(
      (sum, texts) => sum + (texts?.longest ?? 0),
      2 * LONGEST_NUMBER,
    );
  }

  text(heading: string, words: Uint32Array): string {
    const longestLine = this.#longestLine;
    const { lines } = this.#table;
    // Two bytes of text for each byte of the program suffice in most cases.
    let bytes = new Uint8Array(heading.length + longestLine + Math.min(8 * words.length, LONGEST_TEXT));
    for (let index = 0; index < heading.length; index++) bytes[index] = heading.charCodeAt(index);
    let at = heading.length;
    for (let word = 0; word < words.length; word += Packed.wordsPerInstruction) {
      if (bytes.length - at < longestLine) bytes = larger(bytes, at, longestLine);
      const head = words[word]!;
      const payload = words[word + 1]!;
      const isKnown = head === InstructionType.ptx && payload < lines.count;
      at = isKnown ? lines.write(bytes, at, payload) : this.#write(bytes, at, head, payload);
      bytes[at++] = NEWLINE;
    }
    return latin1(bytes, checkedLength(at));
  }

  /** Writes any instruction except the PTX instructions of the table; returns the offset after it. */
  #write(bytes: Uint8Array, start: number, head: number, payload: number): number {
    const code = head & Packed.typeMask;
    const aux = head >>> Packed.auxShift;
    const isMeta = code === InstructionType.meta && payload < META_OPERATION_NAMES.length;
    const index = (MNEMONIC_OF[code] ?? -1) + (isMeta ? payload : 0);
    const mnemonic = MNEMONICS[index];
    const { stack = false, operand = Operand.none } = mnemonic ?? {};
    const isPlain = (stack || aux === 0) && (operand !== Operand.none || mnemonic?.payload === payload);
    if (mnemonic === undefined || !isPlain) {
      let at = writeBits(bytes, FIRST_WORDS.write(bytes, start, WORD_DIRECTIVE), head);
      bytes[at++] = BLANK;
      return writeBits(bytes, at, payload);
    }
    let at = FIRST_WORDS.write(bytes, start, index);
    if (stack) at = this.#table.stacks.write(bytes, at, aux);
    if (operand === Operand.none) return at;
    if (stack) bytes[at++] = BLANK;
    if (operand === Operand.constant) {
      return (this.#table.constants[aux] ?? BARE_BITS).write(bytes, at, payload);
    }
    return this.#operands[operand]?.write(bytes, at, payload) ?? writeDecimal(bytes, at, payload);
  }
}

/** A larger copy of bytes, the first `at` of which are written, with room for at least one more line. */
function larger(bytes: Uint8Array<ArrayBuffer>, at: number, line: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(checkedLength(at) + Math.min(at, LONGEST_TEXT - at) + line);
  grown.set(bytes.subarray(0, at));
  return grown;
}

/** @throws StackPtxError INVALID_ARGUMENT */
function checkedLength(length: number): number {
  if (length <= LONGEST_TEXT) return length;
  throw new StackPtxError(
    "INVALID_ARGUMENT",
    `expected a program whose text fits a string (${LONGEST_TEXT} characters): disassemble slices of it`,
  );
}
