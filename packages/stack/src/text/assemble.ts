// Text to programs: one instruction a line, as the table in syntax.ts says. The text is read as bytes, once, and words
// are looked up where they stand; strings are made only for messages.
import { didYouMean, quoted, type Span, type StackTable } from "@mm-ptx/types/core";
import { invalid } from "../arguments.js";
import { latin1 } from "../emit/string.js";
import { syntaxError } from "../error.js";
import { InstructionType, Packed, packHead } from "../layout.js";
import { StackProgram } from "../program.js";
import { BARE_BITS } from "./constants.js";
import { labelNames, type ProgramLabels } from "./labels.js";
import { FIRST_INSTRUCTION, type TableNames, tableNames } from "./names.js";
import { readBits, readIndex } from "./numbers.js";
import { Directive, isWord, MNEMONICS, type Mnemonic, NO_LABEL, Operand } from "./syntax.js";
import { WordHash, WordIndex } from "./word-index.js";

const enum Ascii {
  tab = 0x09,
  newline = 0x0a,
  carriageReturn = 0x0d,
  blank = 0x20,
  zero = 0x30,
  nine = 0x39,
  semicolon = 0x3b,
}

const U32_MAX = 0xffffffff;
/** More problems than these are not looked for. */
const MOST_PROBLEMS = 20;
/** For longer words no similar ones are looked for: that takes time with the square of their length. */
const LONGEST_GUESSED = 64;
/** Nor among more words than these: each takes a few microseconds. */
const MOST_GUESSED = 2 ** 14;

/**
 * The program that a text says: one instruction a line, `;` begins a comment, names as in the table, indices everywhere
 * instead of names. The README of the package describes the language.
 * @param labels words for registers and routines, besides those that the text declares
 * @throws StackPtxError SYNTAX with up to 20 `problems`, each with its span, line and column; INVALID_VALUE when an
 * argument is of the wrong kind
 */
export function assemble(text: string, table: StackTable, labels: ProgramLabels = {}): StackProgram {
  if (typeof text !== "string") {
    throw invalid("the text of a program", text);
  }
  const { registers, routines } = labelNames(labels);
  return new Assembler(text, tableNames(table), registers.words, routines.words).program();
}

/** An operand that is an index, or a name that stands for one. */
interface NamedOperand {
  readonly expected: string;
  readonly words: WordIndex;
}

class Assembler {
  private readonly bytes: Uint8Array;
  private at = 0;
  /** The word that was read last: its place, and its hash. */
  private start = 0;
  private end = 0;
  private hash = 0;
  private words: Uint32Array;
  private count = 0;
  /** A place in the bytes and the same in the text: of a problem, so that the next one is counted from there. */
  private counted = { bytes: 0, characters: 0 };
  /** Whether the line is known to be wrong. */
  private failed = false;
  private readonly problems: { message: string; span: Span }[] = [];
  private readonly stacks: NamedOperand;
  /** What names an operand may have, by its kind. */
  private readonly operands: readonly (NamedOperand | undefined)[];

  constructor(
    private readonly text: string,
    private readonly names: TableNames,
    registers: WordIndex,
    routines: WordIndex,
  ) {
    this.bytes = bytesOf(text);
    // Some editors put a byte order mark before all text.
    if (text.startsWith("\ufeff")) this.at = 3;
    // A line is seldom shorter than eight bytes.
    this.words = new Uint32Array(Packed.wordsPerInstruction * ((this.bytes.length >> 3) + 1));
    this.stacks = { expected: "a stack", words: names.stacks.words };
    const operands: NamedOperand[] = [];
    operands[Operand.instruction] = { expected: "a PTX instruction", words: names.instructions.words };
    operands[Operand.special] = { expected: "a special register", words: names.specials.words };
    operands[Operand.register] = { expected: "a register", words: registers };
    operands[Operand.routine] = { expected: "a routine", words: routines };
    operands[Operand.number] = { expected: "a number", words: new WordIndex() };
    this.operands = operands;
  }

  program(): StackProgram {
    const { bytes, names } = this;
    while (this.at < bytes.length && this.problems.length < MOST_PROBLEMS) {
      if (this.nextWord()) {
        const first = names.firstWords.find(bytes, this.start, this.end, this.hash);
        if (first >= FIRST_INSTRUCTION) this.push(InstructionType.ptx, first - FIRST_INSTRUCTION);
        else this.line(first);
      }
      this.endLine();
    }
    if (this.problems.length > 0) throw syntaxError(this.text, this.problems);
    return StackProgram.fromWords(this.words.slice(0, this.count));
  }

  /** Reads the next word of the line; false when there is none. */
  private nextWord(): boolean {
    const { bytes } = this;
    let { at } = this;
    let letter = bytes[at]!;
    while (letter === Ascii.blank || letter === Ascii.tab || letter === Ascii.carriageReturn) {
      letter = bytes[++at]!;
    }
    this.start = at;
    let hash: number = WordHash.start;
    while (letter > Ascii.blank && letter !== Ascii.semicolon) {
      hash = Math.imul(hash ^ letter, WordHash.prime);
      letter = bytes[++at]!;
    }
    this.at = this.end = at;
    this.hash = hash;
    return at > this.start;
  }

  /** Goes behind the end of the line, before which only a comment may stand. */
  private endLine(): void {
    const { bytes } = this;
    if (bytes[this.at] !== Ascii.newline) {
      if (!this.failed) {
        const extra = this.nextWord();
        const letter = bytes[this.at];
        if (extra || (letter !== Ascii.newline && letter !== Ascii.semicolon)) {
          this.expected("the end of the line");
        }
      }
      // Behind the last line stands a newline of ours.
      this.at = bytes.indexOf(Ascii.newline, this.at);
    }
    this.failed = false;
    this.at++;
  }

  /** A line whose first word is a mnemonic or a directive, by its number. */
  private line(first: number): void {
    const mnemonic = MNEMONICS[first];
    if (mnemonic !== undefined) this.instruction(mnemonic);
    else if (first < 0) this.expected("an instruction", this.names.firstWords);
    else if (first === MNEMONICS.length + Directive.word) this.rawWords();
    else if (first === MNEMONICS.length + Directive.registers) this.labels(Operand.register);
    else this.labels(Operand.routine);
  }

  private instruction({ code, stack, operand, payload }: Mnemonic): void {
    const aux = stack ? this.index(this.stacks, Packed.auxMax) : 0;
    if (aux < 0) return;
    let value = payload;
    if (operand === Operand.constant) value = this.constant(aux);
    else if (operand !== Operand.none) value = this.index(this.operands[operand]!, U32_MAX);
    if (value >= 0) this.push(packHead(code, aux), value);
  }

  /** An instruction as its two words. */
  private rawWords(): void {
    const head = this.rawWord();
    if (head < 0) return;
    const payload = this.rawWord();
    if (payload >= 0) this.push(head, payload);
  }

  private rawWord(): number {
    const value = this.nextWord() ? readBits(this.bytes, this.start, this.end) : -1;
    return value >= 0 ? value : this.expected("a word such as `0x00000001`");
  }

  /** Labels from index 0 on. */
  private labels(operand: Operand): void {
    const { expected, words } = this.operands[operand]!;
    for (let index = 0; this.nextWord(); index++) {
      const word = latin1(this.bytes.subarray(this.start, this.end), this.end - this.start);
      if (word === NO_LABEL) continue;
      if (!isWord(word)) {
        this.expected(`a label for ${expected}`);
        return;
      }
      const meaning = words.addFrom(this.bytes, this.start, this.end, this.hash, index);
      if (meaning !== index) {
        this.expected(`a label that stands for one index only (it is ${meaning} already)`);
        return;
      }
    }
  }

  /** The index that the next word is or names; -1 when it does neither. */
  private index({ expected, words }: NamedOperand, most: number): number {
    if (!this.nextWord()) return this.expected(expected);
    const { bytes, start, end } = this;
    const known = words.find(bytes, start, end, this.hash);
    if (known >= 0) return known;
    const index = readIndex(bytes, start, end, most);
    if (index >= 0) return index;
    const letter = bytes[start]!;
    return letter >= Ascii.zero && letter <= Ascii.nine
      ? this.expected(`${expected} from 0 to ${most}`)
      : this.expected(expected, words);
  }

  /** The bits of the next word as a constant of a stack; -1 when it is none. */
  private constant(stack: number): number {
    const { expected, read } = this.names.constants[stack] ?? BARE_BITS;
    const bits = this.nextWord() ? read(this.bytes, this.start, this.end) : -1;
    return bits >= 0 ? bits : this.expected(expected);
  }

  private push(head: number, payload: number): void {
    if (this.count === this.words.length) {
      const words = new Uint32Array(2 * this.words.length);
      words.set(this.words);
      this.words = words;
    }
    this.words[this.count++] = head;
    this.words[this.count++] = payload;
  }

  /** Notes that the word read last is not what was expected; gives -1, which no value is. */
  private expected(what: string, known?: WordIndex): -1 {
    const span = this.span();
    const word = this.text.slice(span.start, span.end);
    const found = word === "" ? this.nothing() : quoted(word);
    const isGuessed = known !== undefined && known.count <= MOST_GUESSED && word.length <= LONGEST_GUESSED;
    const hint = isGuessed ? didYouMean(word, known) : "";
    this.problems.push({ message: `expected ${what}, found ${found}${hint}`, span });
    this.failed = true;
    return -1;
  }

  /** What stands where there is no word. */
  private nothing(): string {
    const letter = this.bytes[this.at]!;
    return letter === Ascii.newline || letter === Ascii.semicolon
      ? "the end of the line"
      : `the character 0x${letter.toString(16).padStart(2, "0")}`;
  }

  /** The place of the word in the text; bytes are its characters where all of it is ASCII. */
  private span(): Span {
    const { bytes, start, end, text } = this;
    if (bytes.length === text.length + 1) return { start, end };
    return { start: this.charactersTo(start), end: this.charactersTo(end) };
  }

  /** The offset in the text of one in the bytes, which does not lie before the last that was asked for. */
  private charactersTo(offset: number): number {
    const { bytes, characters } = this.counted;
    const between = decoder.decode(this.bytes.subarray(bytes, offset)).length;
    this.counted = { bytes: offset, characters: characters + between };
    return this.counted.characters;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text as UTF-8 with a newline at its end, which all loops stop at. */
function bytesOf(text: string): Uint8Array {
  const ascii = new Uint8Array(text.length + 1);
  const { read, written } = encoder.encodeInto(text, ascii);
  if (read === text.length && written === text.length) {
    ascii[written] = Ascii.newline;
    return ascii;
  }
  const encoded = encoder.encode(text);
  const bytes = new Uint8Array(encoded.length + 1);
  bytes.set(encoded);
  bytes[encoded.length] = Ascii.newline;
  return bytes;
}
