// How operands are written, as pieces of at most 16 bytes that are copied without a loop: `%_s0_12, ` for registers
// of the stub, `%x, ` for those of the caller. A node names its text by index and length in one number (see `Text`).
import { Text } from "../workspace.js";
import { packWord, Word } from "./words.js";

export const enum Chunk {
  /** Registers of a stack get their texts in chunks, made when the first of them is needed. */
  size = 64,
  shift = 6,
  /** Chunks of a stack; registers above them are written digit by digit. */
  perStack = 16,
  registers = size * perStack,
}

/** The length that says of a text that it is too long for its two words. */
const TOO_LONG = Text.lengthMask;

export class OperandTexts {
  /** Two words for each text. */
  words = new Float64Array(2 * 256);
  /** The caller's registers whose names do not fit, by the number that nodes have for them. */
  readonly longNames = new Map<number, string>();
  /** Texts that there are. */
  count: number = Text.firstInputIndex;
  /** Changes with every change of a text. */
  version = 0;
  private inputRoom = 0;
  /** The number of each chunk's first text, 0 when it does not exist. */
  readonly chunks: Int32Array;
  /** The length of each text, or `TOO_LONG`. */
  lengths = new Uint8Array(256);

  constructor(stackCount: number) {
    this.chunks = new Int32Array(stackCount * Chunk.perStack);
  }

  /** Names the registers of the caller; returns what a node says of each. */
  setInputs(names: readonly string[]): Int32Array {
    if (names.length > this.inputRoom) {
      this.inputRoom = Math.max(2 * names.length, 16);
      this.chunks.fill(0);
      this.count = Text.firstInputIndex + this.inputRoom;
      this.reserve();
    }
    this.longNames.clear();
    return Int32Array.from(names, (name, index) => {
      const characters = `%${name}, `;
      const text = this.set(Text.firstInputIndex + index, characters);
      if ((text & Text.lengthMask) === TOO_LONG) this.longNames.set(text, characters);
      return text;
    });
  }

  /** What a node says of register `number` of a stack. */
  register(stack: number, number: number): number {
    if (number >= Chunk.registers) return Text.number + number;
    const chunk = stack * Chunk.perStack + (number >> Chunk.shift);
    const first = this.chunks[chunk]!;
    const index = (first === 0 ? this.makeChunk(chunk, stack, number) : first) + (number & (Chunk.size - 1));
    return (index << Text.indexShift) | this.lengths[index]!;
  }

  private makeChunk(chunk: number, stack: number, number: number): number {
    const first = this.count;
    const firstNumber = number - (number & (Chunk.size - 1));
    this.count += Chunk.size;
    this.reserve();
    for (let offset = 0; offset < Chunk.size; offset++)
      this.set(first + offset, `%_s${stack}_${firstNumber + offset}, `);
    this.chunks[chunk] = first;
    return first;
  }

  private set(index: number, characters: string): number {
    this.version++;
    this.words[2 * index] = packWord(characters, 0);
    this.words[2 * index + 1] = packWord(characters, Word.bytes);
    this.lengths[index] = characters.length <= 2 * Word.bytes ? characters.length : TOO_LONG;
    return (index << Text.indexShift) | this.lengths[index]!;
  }

  private reserve(): void {
    if (this.count <= this.lengths.length) return;
    const room = Math.max(2 * this.lengths.length, this.count);
    const words = new Float64Array(2 * room);
    const lengths = new Uint8Array(room);
    words.set(this.words);
    lengths.set(this.lengths);
    this.words = words;
    this.lengths = lengths;
  }
}
