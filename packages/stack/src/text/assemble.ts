// Assembles text to programs, one instruction per line, using the table in syntax.ts. The text is read once, as bytes,
// and words are looked up in place; strings are made only for messages.
import type { Span, StackTable } from "@mm-ptx/types/core";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
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
/** The most problems that are reported. */
const MOST_PROBLEMS = 20;
/** The longest word for which similar names are searched, because the search takes quadratic time. */
const LONGEST_GUESSED = 64;
/** The most names that are searched for similar ones; each takes a few microseconds. */
const MOST_GUESSED = 2 ** 14;

/**
 * Assembles the text of a program: one instruction per line, `;` starts a comment, names are those of the table, and an
 * index may replace any name. The README of the package describes the language.
 * @param labels words for registers and routines, in addition to those that the text declares
 * @throws StackPtxError SYNTAX with up to 20 `problems`, each with its span, line and column; INVALID_ARGUMENT when an
 * argument is of the wrong kind
 */
export function assemble(text: string, table: StackTable, labels: ProgramLabels = {}): StackProgram {
  if (typeof text !== "string") {
    throw invalid("the text of a program", text);
  }
  const { registers, routines } = labelNames(labels);
  return new Assembler(text, tableNames(table), registers.words, routines.words).program();
}

/** An operand that is an index or the name of one. */
interface NamedOperand {
  readonly expected: string;
  readonly words: WordIndex;
}

class Assembler {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The place and the hash of the last word that was read. */
  #start = 0;
  #end = 0;
  #hash = 0;
  #words: Uint32Array;
  #count = 0;
  /** The place of the last problem, in the bytes and in the text, from which the next one is counted. */
  #counted = { bytes: 0, characters: 0 };
  /** Whether the line is already known to be wrong. */
  #failed = false;
  readonly #problems: { message: string; span: Span }[] = [];
  readonly #stacks: NamedOperand;
  /** The names that each kind of operand may have. */
  readonly #operands: readonly (NamedOperand | undefined)[];

  readonly #text: string;
  readonly #names: TableNames;

  constructor(text: string, names: TableNames, registers: WordIndex, routines: WordIndex) {
    this.#text = text;
    this.#names = names;
    this.#bytes = bytesOf(text);
    // Some editors put a byte order mark at the start of a text.
    if (text.startsWith("\ufeff")) this.#at = 3;
    // Lines are rarely shorter than eight bytes.
    this.#words = new Uint32Array(Packed.wordsPerInstruction * ((this.#bytes.length >> 3) + 1));
    this.#stacks = { expected: "a stack", words: names.stacks.words };
    const operands: NamedOperand[] = [];
    operands[Operand.instruction] = { expected: "a PTX instruction", words: names.instructions.words };
    operands[Operand.special] = { expected: "a special register", words: names.specials.words };
    operands[Operand.register] = { expected: "a register", words: registers };
    operands[Operand.routine] = { expected: "a routine", words: routines };
    operands[Operand.number] = { expected: "a number", words: new WordIndex() };
    this.#operands = operands;
  }

  program(): StackProgram {
    const bytes = this.#bytes;
    const names = this.#names;
    while (this.#at < bytes.length && this.#problems.length < MOST_PROBLEMS) {
      if (this.#nextWord()) {
        const first = names.firstWords.find(bytes, this.#start, this.#end, this.#hash);
        if (first >= FIRST_INSTRUCTION) this.#push(InstructionType.ptx, first - FIRST_INSTRUCTION);
        else this.#line(first);
      }
      this.#endLine();
    }
    if (this.#problems.length > 0) throw syntaxError(this.#text, this.#problems);
    return StackProgram.fromWords(this.#words.slice(0, this.#count));
  }

  /** Reads the next word of the line; returns false when there is none. */
  #nextWord(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    let letter = bytes[at]!;
    while (letter === Ascii.blank || letter === Ascii.tab || letter === Ascii.carriageReturn) {
      letter = bytes[++at]!;
    }
    this.#start = at;
    let hash: number = WordHash.start;
    while (letter > Ascii.blank && letter !== Ascii.semicolon) {
      hash = Math.imul(hash ^ letter, WordHash.prime);
      letter = bytes[++at]!;
    }
    this.#at = this.#end = at;
    this.#hash = hash;
    return at > this.#start;
  }

  /** Skips the end of the line, before which only a comment is allowed. */
  #endLine(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== Ascii.newline) {
      if (!this.#failed) {
        const extra = this.#nextWord();
        const letter = bytes[this.#at];
        if (extra || (letter !== Ascii.newline && letter !== Ascii.semicolon)) {
          this.#expected("the end of the line");
        }
      }
      // The newline after the last line is ours.
      this.#at = bytes.indexOf(Ascii.newline, this.#at);
    }
    this.#failed = false;
    this.#at++;
  }

  /** Assembles a line whose first word is a mnemonic or a directive, given its number. */
  #line(first: number): void {
    const mnemonic = MNEMONICS[first];
    if (mnemonic !== undefined) this.#instruction(mnemonic);
    else if (first < 0) this.#expected("an instruction", this.#names.firstWords);
    else if (first === MNEMONICS.length + Directive.word) this.#rawWords();
    else if (first === MNEMONICS.length + Directive.registers) this.#labels(Operand.register);
    else this.#labels(Operand.routine);
  }

  #instruction({ code, stack, operand, payload }: Mnemonic): void {
    const aux = stack ? this.#index(this.#stacks, Packed.auxMax) : 0;
    if (aux < 0) return;
    let value = payload;
    if (operand === Operand.constant) value = this.#constant(aux);
    else if (operand !== Operand.none) value = this.#index(this.#operands[operand]!, U32_MAX);
    if (value >= 0) this.#push(packHead(code, aux), value);
  }

  /** An instruction as its two words. */
  #rawWords(): void {
    const head = this.#rawWord();
    if (head < 0) return;
    const payload = this.#rawWord();
    if (payload >= 0) this.#push(head, payload);
  }

  #rawWord(): number {
    const value = this.#nextWord() ? readBits(this.#bytes, this.#start, this.#end) : -1;
    return value >= 0 ? value : this.#expected("a word such as `0x00000001`");
  }

  /** Reads labels, starting at index 0. */
  #labels(operand: Operand): void {
    const { expected, words } = this.#operands[operand]!;
    for (let index = 0; this.#nextWord(); index++) {
      const word = latin1(this.#bytes.subarray(this.#start, this.#end), this.#end - this.#start);
      if (word === NO_LABEL) continue;
      if (!isWord(word)) {
        this.#expected(`a label for ${expected}`);
        return;
      }
      const meaning = words.addFrom(this.#bytes, this.#start, this.#end, this.#hash, index);
      if (meaning !== index) {
        this.#expected(`a label for one index only (it is ${meaning} already)`);
        return;
      }
    }
  }

  /** The index that the next word is or names; -1 when it is neither. */
  #index({ expected, words }: NamedOperand, most: number): number {
    if (!this.#nextWord()) return this.#expected(expected);
    const bytes = this.#bytes;
    const start = this.#start;
    const end = this.#end;
    const known = words.find(bytes, start, end, this.#hash);
    if (known >= 0) return known;
    const index = readIndex(bytes, start, end, most);
    if (index >= 0) return index;
    const letter = bytes[start]!;
    return letter >= Ascii.zero && letter <= Ascii.nine
      ? this.#expected(`${expected} from 0 to ${most}`)
      : this.#expected(expected, words);
  }

  /** The bits of the next word as a constant of a stack; -1 when it is not a constant. */
  #constant(stack: number): number {
    const { expected, read } = this.#names.constants[stack] ?? BARE_BITS;
    const bits = this.#nextWord() ? read(this.#bytes, this.#start, this.#end) : -1;
    return bits >= 0 ? bits : this.#expected(expected);
  }

  #push(head: number, payload: number): void {
    if (this.#count === this.#words.length) {
      const words = new Uint32Array(2 * this.#words.length);
      words.set(this.#words);
      this.#words = words;
    }
    this.#words[this.#count++] = head;
    this.#words[this.#count++] = payload;
  }

  /** Records that the last word is not what was expected; returns -1, which is never a value. */
  #expected(what: string, known?: WordIndex): -1 {
    const span = this.#span();
    const word = this.#text.slice(span.start, span.end);
    const found = word === "" ? this.#nothing() : quoted(word);
    const isGuessed = known !== undefined && known.count <= MOST_GUESSED && word.length <= LONGEST_GUESSED;
    const hint = isGuessed ? didYouMean(word, known) : "";
    this.#problems.push({ message: `expected ${what}, found ${found}${hint}`, span });
    this.#failed = true;
    return -1;
  }

  /** Describes what was found where a word was expected. */
  #nothing(): string {
    const letter = this.#bytes[this.#at]!;
    return letter === Ascii.newline || letter === Ascii.semicolon
      ? "the end of the line"
      : `the character 0x${letter.toString(16).padStart(2, "0")}`;
  }

  /** The place of the word in the text. In a text of ASCII only, it is that of the bytes. */
  #span(): Span {
    const bytes = this.#bytes;
    const start = this.#start;
    const end = this.#end;
    const text = this.#text;
    if (bytes.length === text.length + 1) return { start, end };
    return { start: this.#charactersTo(start), end: this.#charactersTo(end) };
  }

  /** Converts an offset in the bytes to one in the text; offsets must not decrease between calls. */
  #charactersTo(offset: number): number {
    const { bytes, characters } = this.#counted;
    const between = decoder.decode(this.#bytes.subarray(bytes, offset)).length;
    this.#counted = { bytes: offset, characters: characters + between };
    return this.#counted.characters;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text as UTF-8 with a newline at its end, at which all loops stop. */
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
