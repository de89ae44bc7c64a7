// A program: a view of packed instructions. Existing words and aligned bytes are not copied.
import { bytesOf, isBoolean, murmur128, wordsOf } from "@mm-ptx/types/internal";
import { checkOptionValues, integer, invalid } from "./arguments.js";
import { type DecodedInstruction, decodeInstruction } from "./decode.js";
import { type Instruction, isInstruction, returnInstruction } from "./encode.js";
import { legacyInstead, StackPtxError } from "./error.js";
import { Packed } from "./layout.js";
import { convertLegacy, type FromLegacyOptions } from "./legacy/convert.js";
import { detectDialect } from "./legacy/dialect.js";

/** Options of `StackProgram.fromBytes`. */
export interface FromBytesOptions {
  /**
   * Whether the bytes are known to end with the program's return, as stored programs do. Programs of Stack PTX 1.0 are
   * then rejected. The default is `false`, which accepts any bytes.
   */
  readonly complete?: boolean;
}

const FROM_BYTES_OPTIONS = { complete: isBoolean };

/**
 * A sequence of Stack PTX instructions, two u32 words each. A final return may be left out.
 *
 * No method changes a program. But a program is a view: writing to `words`, or to the memory that it was made from,
 * changes the program and all its slices.
 */
export class StackProgram implements Iterable<Instruction> {
  /** The words themselves, not a copy. */
  readonly words: Uint32Array;

  // The constructor checks its argument itself, because JavaScript code can call it as freely as `fromWords`.
  private constructor(words: Uint32Array) {
    if (!(words instanceof Uint32Array)) throw invalid("the program as a Uint32Array", words);
    if (words.length % Packed.wordsPerInstruction !== 0) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `expected two words per instruction, found ${words.length} words: the last instruction is truncated`,
      );
    }
    this.words = words;
  }

  /**
   * Makes a program of encoded instructions.
   * @throws StackPtxError INVALID_ARGUMENT when an element is not an instruction
   */
  static of(...instructions: readonly Instruction[]): StackProgram {
    const words = new Uint32Array(instructions.length * Packed.wordsPerInstruction);
    instructions.forEach((instruction, index) => {
      writeInstruction(words, index, instruction, index);
    });
    return new StackProgram(words);
  }

  /**
   * Makes a program that is a view of words, without a copy.
   * @throws StackPtxError INVALID_ARGUMENT unless it is a `Uint32Array` with an even number of words
   */
  static fromWords(words: Uint32Array): StackProgram {
    return new StackProgram(words);
  }

  /**
   * Makes a program from little-endian bytes: a view without a copy when they are aligned to 4 (on little-endian
   * machines).
   * @throws StackPtxError INVALID_ARGUMENT unless the number of bytes is a multiple of 8; LEGACY_PROGRAM when the bytes
   * are `complete` and end with the return of Stack PTX 1.0
   */
  static fromBytes(bytes: Uint8Array, options: FromBytesOptions = {}): StackProgram {
    checkOptionValues(options, FROM_BYTES_OPTIONS);
    if (!(bytes instanceof Uint8Array)) throw invalid("the program as a Uint8Array", bytes);
    if (bytes.byteLength % Packed.bytesPerInstruction !== 0) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `expected ${Packed.bytesPerInstruction} bytes per instruction, found ${bytes.byteLength} bytes: the last one is truncated`,
      );
    }
    if (options.complete === true && detectDialect(bytes, { complete: true }) === "1.0") {
      throw legacyInstead("a program");
    }
    return new StackProgram(wordsOf(bytes));
  }

  /**
   * Converts a program of Stack PTX 1.0, which C programs up to mm-ptx 1.0.1 store. Routines are converted one by one,
   * like programs. Registers, requests and limits are the same in both versions.
   * @param words the words of the program, or its little-endian bytes
   * @throws StackPtxError LEGACY_PROGRAM with `reason` and `instruction` when the table does not have an instruction or a
   * special register of the program, or not with the same arguments and results; INVALID_ARGUMENT when an argument is of
   * the wrong kind
   */
  static fromLegacy(words: Uint32Array | Uint8Array, options: FromLegacyOptions): StackProgram {
    return new StackProgram(convertLegacy(words, options));
  }

  /** The number of instructions. */
  get length(): number {
    return this.words.length / Packed.wordsPerInstruction;
  }

  /** The instructions as little-endian bytes: a view on little-endian machines, a copy elsewhere. */
  get bytes(): Uint8Array {
    return bytesOf(this.words);
  }

  /** Whether the last instruction is a return. */
  get endsWithReturn(): boolean {
    const last = this.words[this.words.length - Packed.wordsPerInstruction];
    return last !== undefined && (last & Packed.typeMask) === (returnInstruction.head & Packed.typeMask);
  }

  /**
   * Instruction `index` as its two words.
   * @throws StackPtxError INVALID_ARGUMENT when the program has no such instruction
   */
  at(index: number): Instruction {
    checkIndex("instruction", index, this.length - 1);
    const word = index * Packed.wordsPerInstruction;
    return { head: this.words[word]!, payload: this.words[word + 1]! };
  }

  /**
   * The fields of instruction `index`; `encodeInstruction` is the inverse.
   * @throws StackPtxError INVALID_ARGUMENT when the program has no such instruction
   */
  decode(index: number): DecodedInstruction {
    return decodeInstruction(this.at(index));
  }

  /** Yields the instructions in order, in the form that `StackProgram.of` takes. */
  *[Symbol.iterator](): Generator<Instruction, void, undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /**
   * The instructions from `start` up to `end`, without a copy: a view of the same words.
   * @throws StackPtxError INVALID_ARGUMENT unless 0 <= start <= end <= length
   */
  slice(start = 0, end = this.length): StackProgram {
    checkIndex("end", end, this.length);
    checkIndex("start", start, end);
    return new StackProgram(
      this.words.subarray(start * Packed.wordsPerInstruction, end * Packed.wordsPerInstruction),
    );
  }

  /**
   * Returns a new program in which `deleteCount` instructions, starting at `start`, are replaced by `pieces`. This
   * program does not change.
   * @throws StackPtxError INVALID_ARGUMENT when the instructions to remove are out of range, or a piece is neither a
   * program nor an instruction
   */
  splice(start: number, deleteCount: number, ...pieces: readonly ProgramPiece[]): StackProgram {
    checkIndex("start", start, this.length);
    checkIndex("deleteCount", deleteCount, this.length - start);
    return joined([this.slice(0, start), ...pieces, this.slice(start + deleteCount)]);
  }

  /**
   * Returns a new program of this one followed by the others. A return between them is kept, and ends the program
   * there.
   * @throws StackPtxError INVALID_ARGUMENT when a piece is neither a program nor an instruction
   */
  concat(...pieces: readonly ProgramPiece[]): StackProgram {
    return joined([this, ...pieces]);
  }

  /**
   * Whether the other program has the same words. Programs that differ only in a final return are not equal.
   * @throws StackPtxError INVALID_ARGUMENT when the other is not a program
   */
  equals(other: StackProgram): boolean {
    checkProgram(other);
    const { words } = this;
    const others = other.words;
    if (words.length !== others.length) return false;
    for (let index = 0; index < words.length; index++) if (words[index] !== others[index]) return false;
    return true;
  }

  /**
   * A key for maps and files: 32 hex digits, equal for equal words on every machine and in every version. It is
   * MurmurHash3_x86_128 (seed 0) of `bytes`: well distributed, but without protection against deliberate collisions.
   */
  hash(): string {
    return murmur128(this.words);
  }
}

/** The pieces that programs are assembled from. */
export type ProgramPiece = StackProgram | Instruction;

/**
 * Rejects anything but a program. An object that only looks like a program is rejected too, because its words were never
 * checked.
 * @throws StackPtxError INVALID_ARGUMENT with what was expected
 */
export function checkProgram(program: StackProgram, expected = "a StackProgram"): void {
  if (!(program instanceof StackProgram)) throw invalid(expected, program);
}

/** Concatenates pieces. The first piece is this program, so errors count from the second one. */
function joined(pieces: readonly ProgramPiece[]): StackProgram {
  const count = pieces.reduce((sum, piece) => sum + (piece instanceof StackProgram ? piece.length : 1), 0);
  const words = new Uint32Array(count * Packed.wordsPerInstruction);
  let index = 0;
  pieces.forEach((piece, place) => {
    if (piece instanceof StackProgram) {
      words.set(piece.words, index * Packed.wordsPerInstruction);
      index += piece.length;
    } else {
      writeInstruction(words, index++, piece, place - 1);
    }
  });
  return StackProgram.fromWords(words);
}

/** Writes an instruction that the caller passed at index `place` of its list. */
function writeInstruction(words: Uint32Array, index: number, instruction: Instruction, place: number): void {
  if (!isInstruction(instruction)) throw invalid(`an encoded instruction at index ${place}`, instruction);
  words[index * Packed.wordsPerInstruction] = instruction.head;
  words[index * Packed.wordsPerInstruction + 1] = instruction.payload;
}

function checkIndex(what: string, value: number, most: number): void {
  if (most < 0) throw invalid(`no \`${what}\` for an empty program`, value);
  integer(`\`${what}\``, value, most);
}
