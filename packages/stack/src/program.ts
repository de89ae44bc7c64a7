// A program: a view of packed instructions. Nothing is copied when the words or aligned bytes already exist.
import { integer, invalid } from "./arguments.js";
import { bytesOf, wordsOf } from "./bytes.js";
import { type DecodedInstruction, decodeInstruction } from "./decode.js";
import { type Instruction, isInstruction, returnInstruction } from "./encode.js";
import { StackPtxError } from "./error.js";
import { murmur128 } from "./hash.js";
import { Packed } from "./layout.js";

/**
 * A sequence of Stack PTX instructions, two u32 words each. A final return may be left out.
 *
 * No method changes a program. It is a view, though: whoever holds the memory that it was made of, or writes to `words`,
 * changes it and all its slices.
 */
export class StackProgram implements Iterable<Instruction> {
  /** The words themselves, not a copy. */
  readonly words: Uint32Array;

  // It checks by itself: to JavaScript it is as public as `fromWords`.
  private constructor(words: Uint32Array) {
    if (!(words instanceof Uint32Array)) throw invalid("the program as a Uint32Array", words);
    if (words.length % Packed.wordsPerInstruction !== 0) {
      throw new StackPtxError(
        "INVALID_VALUE",
        `expected two words an instruction, found ${words.length} words: the last instruction is cut`,
      );
    }
    this.words = words;
  }

  /**
   * A program of encoded instructions.
   * @throws StackPtxError INVALID_VALUE when one is no instruction
   */
  static of(...instructions: readonly Instruction[]): StackProgram {
    const words = new Uint32Array(instructions.length * Packed.wordsPerInstruction);
    instructions.forEach((instruction, index) => {
      writeInstruction(words, index, instruction, index);
    });
    return new StackProgram(words);
  }

  /**
   * A view of words, without a copy.
   * @throws StackPtxError INVALID_VALUE when it is no `Uint32Array` or holds half an instruction
   */
  static fromWords(words: Uint32Array): StackProgram {
    return new StackProgram(words);
  }

  /**
   * A program from little-endian bytes; a view without a copy when they are aligned to 4 (on little-endian machines).
   * @throws StackPtxError INVALID_VALUE when the count is no multiple of 8
   */
  static fromBytes(bytes: Uint8Array): StackProgram {
    if (!(bytes instanceof Uint8Array)) throw invalid("the program as a Uint8Array", bytes);
    if (bytes.byteLength % Packed.bytesPerInstruction !== 0) {
      throw new StackPtxError(
        "INVALID_VALUE",
        `expected ${Packed.bytesPerInstruction} bytes an instruction, found ${bytes.byteLength} bytes: the last one is cut`,
      );
    }
    return new StackProgram(wordsOf(bytes));
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
   * @throws StackPtxError INVALID_VALUE when there is none
   */
  at(index: number): Instruction {
    checkIndex("instruction", index, this.length - 1);
    const word = index * Packed.wordsPerInstruction;
    return { head: this.words[word]!, payload: this.words[word + 1]! };
  }

  /**
   * What instruction `index` says, by its fields; `encodeInstruction` is the way back.
   * @throws StackPtxError INVALID_VALUE when there is none
   */
  decode(index: number): DecodedInstruction {
    return decodeInstruction(this.at(index));
  }

  /** The instructions one by one, as `StackProgram.of` takes them. */
  *[Symbol.iterator](): Generator<Instruction, void, undefined> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /**
   * The instructions from `start` up to `end`, without a copy: a view of the same words.
   * @throws StackPtxError INVALID_VALUE unless 0 <= start <= end <= length
   */
  slice(start = 0, end = this.length): StackProgram {
    checkIndex("end", end, this.length);
    checkIndex("start", start, end);
    return new StackProgram(
      this.words.subarray(start * Packed.wordsPerInstruction, end * Packed.wordsPerInstruction),
    );
  }

  /**
   * A new program in which `deleteCount` instructions from `start` on are replaced by `pieces`; this one stays.
   * @throws StackPtxError INVALID_VALUE when the instructions to remove are not all there, or a piece is none
   */
  splice(start: number, deleteCount: number, ...pieces: readonly ProgramPiece[]): StackProgram {
    checkIndex("start", start, this.length);
    checkIndex("deleteCount", deleteCount, this.length - start);
    return joined([this.slice(0, start), ...pieces, this.slice(start + deleteCount)]);
  }

  /**
   * A new program of this one and the others in order. A return in the middle stays, and ends the program there.
   * @throws StackPtxError INVALID_VALUE when a piece is neither program nor instruction
   */
  concat(...pieces: readonly ProgramPiece[]): StackProgram {
    return joined([this, ...pieces]);
  }

  /**
   * Whether the other program has the same words. A final return that one of them leaves out makes a difference.
   * @throws StackPtxError INVALID_VALUE when the other is no program
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
   * A key for maps and files: 32 hex digits, equal for equal words on every machine and in every version.
   * It is MurmurHash3_x86_128 (seed 0) of `bytes`: well spread, but no protection against made-up collisions.
   */
  hash(): string {
    return murmur128(this.words);
  }
}

/** What programs are put together from. */
export type ProgramPiece = StackProgram | Instruction;

/**
 * An object that only looks like a program is none: nothing has checked its words.
 * @throws StackPtxError INVALID_VALUE with what was expected
 */
export function checkProgram(program: StackProgram, expected = "a StackProgram"): void {
  if (!(program instanceof StackProgram)) throw invalid(expected, program);
}

/** Pieces in order. The first is not the caller's: errors count from the second on. */
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

/** Writes an instruction that the caller gave at `place` of its list. */
function writeInstruction(words: Uint32Array, index: number, instruction: Instruction, place: number): void {
  if (!isInstruction(instruction)) throw invalid(`an encoded instruction at index ${place}`, instruction);
  words[index * Packed.wordsPerInstruction] = instruction.head;
  words[index * Packed.wordsPerInstruction + 1] = instruction.payload;
}

function checkIndex(what: string, value: number, most: number): void {
  if (most < 0) throw invalid(`no \`${what}\` of an empty program`, value);
  integer(`\`${what}\``, value, most);
}
