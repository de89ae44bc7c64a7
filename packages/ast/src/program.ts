// A program: a view of packed instructions. Existing words and aligned bytes are not copied.
import { checkAttached, checkProgram, invalid, invalidText } from "./checks.js";
import type { Instruction } from "./encode.js";
import { LITTLE_ENDIAN } from "./endian.js";
import { Packed } from "./layout.js";

/** A sequence of AST PTX instructions in postorder, two u32 words each. A final return may be left out. */
export class AstProgram {
  /** The words themselves, not a copy. */
  readonly words: Uint32Array;

  private constructor(words: Uint32Array) {
    this.words = words;
  }

  /**
   * Makes a program of encoded instructions.
   * @throws AstPtxError INVALID_ARGUMENT when an element is not an instruction
   */
  static of(...instructions: readonly Instruction[]): AstProgram {
    const words = new Uint32Array(instructions.length * Packed.wordsPerInstruction);
    instructions.forEach((instruction, index) => {
      if (!isInstruction(instruction)) {
        throw invalid(`an encoded instruction at index ${index}`, instruction);
      }
      words[index * Packed.wordsPerInstruction] = instruction.head;
      words[index * Packed.wordsPerInstruction + 1] = instruction.payload;
    });
    return new AstProgram(words);
  }

  /**
   * Makes a program that is a view of words, without a copy.
   * @throws AstPtxError INVALID_ARGUMENT unless it is a `Uint32Array` with an even number of words
   */
  static fromWords(words: Uint32Array): AstProgram {
    if (!(words instanceof Uint32Array)) {
      throw invalid("the program as a Uint32Array", words);
    }
    if (words.length % Packed.wordsPerInstruction !== 0) {
      throw invalidText(
        "two words per instruction",
        `${words.length} words: the last instruction is truncated`,
      );
    }
    return new AstProgram(words);
  }

  /**
   * Makes a program from little-endian bytes: a view without a copy when they are aligned to 4 (on little-endian
   * machines).
   * @throws AstPtxError INVALID_ARGUMENT unless it is a `Uint8Array` whose length is a multiple of 8
   */
  static fromBytes(bytes: Uint8Array): AstProgram {
    if (!(bytes instanceof Uint8Array)) throw invalid("the program as a Uint8Array", bytes);
    checkAttached(bytes);
    if (bytes.byteLength % Packed.bytesPerInstruction !== 0) {
      const found = `${bytes.byteLength} bytes: the last one is truncated`;
      throw invalidText(`${Packed.bytesPerInstruction} bytes per instruction`, found);
    }
    if (LITTLE_ENDIAN && bytes.byteOffset % 4 === 0) {
      return new AstProgram(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new AstProgram(
      Uint32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getUint32(i * 4, true)),
    );
  }

  /** The number of instructions. */
  get length(): number {
    return this.words.length / Packed.wordsPerInstruction;
  }

  /**
   * The instructions as little-endian bytes: a view on little-endian machines, a copy elsewhere.
   * @throws AstPtxError INVALID_ARGUMENT when the buffer of the program was transferred
   */
  get bytes(): Uint8Array {
    checkAttached(this.words);
    if (LITTLE_ENDIAN) return new Uint8Array(this.words.buffer, this.words.byteOffset, this.words.byteLength);
    const bytes = new Uint8Array(this.words.length * 4);
    const view = new DataView(bytes.buffer);
    this.words.forEach((word, index) => {
      view.setUint32(index * 4, word, true);
    });
    return bytes;
  }

  /** Whether both programs have the same words. @throws AstPtxError INVALID_ARGUMENT when the other is not a program */
  equals(other: AstProgram): boolean {
    checkProgram(other, "an AstProgram");
    return (
      this.words.length === other.words.length &&
      this.words.every((word, index) => word === other.words[index])
    );
  }
}

function isInstruction(value: Partial<Instruction> | null | undefined): boolean {
  return isWord(value?.head) && isWord(value?.payload);
}

function isWord(value: unknown): boolean {
  return typeof value === "number" && value >>> 0 === value;
}
