// How operands are written, as pieces of at most 16 bytes that are copied without a loop: `%_s0_12, ` for registers
// of the stub, `%x, ` for those of the caller. A text is named by its index from 1 up; the caller's come first.
import { TEXT_NUMBER } from "../workspace.js";
import { packWord, WORD_BYTES } from "./words.js";

/** Bytes of one text; a longer name has length 0 here and is copied from `longNames`. */
export const TEXT_BYTES = 2 * WORD_BYTES;
/** Registers of a stack come in chunks of this many texts, made when the first of them is needed. */
const CHUNK = 64;
const CHUNK_SHIFT = 6;
/** Registers above this number are written digit by digit. */
const MAX_NUMBER = 1024;
const CHUNKS_PER_STACK = MAX_NUMBER / CHUNK;

export class OperandTexts {
  /** Two words for each text. */
  words = new Float64Array(2 * 256);
  lengths = new Uint8Array(256);
  /** The text of a caller's register that does not fit, by its index. */
  readonly longNames = new Map<number, string>();
  private end = 1;
  private inputRoom = 0;
  /** The first text of each chunk, 0 when it does not exist. */
  private readonly chunks: Int32Array;

  constructor(stackCount: number) {
    this.chunks = new Int32Array(stackCount * CHUNKS_PER_STACK);
  }

  /** Names the registers of the caller: texts 1 to `names.length`. */
  setInputs(names: readonly string[]): void {
    if (names.length > this.inputRoom) {
      this.inputRoom = Math.max(2 * names.length, 16);
      this.chunks.fill(0);
      this.end = 1 + this.inputRoom;
      this.reserve();
    }
    this.longNames.clear();
    names.forEach((name, index) => {
      this.set(index + 1, `%${name}, `);
    });
  }

  /** What a node says of register `number` of a stack. */
  register(stack: number, number: number): number {
    if (number >= MAX_NUMBER) return TEXT_NUMBER + number;
    const chunk = stack * CHUNKS_PER_STACK + (number >> CHUNK_SHIFT);
    const first = this.chunks[chunk]!;
    return (first === 0 ? this.makeChunk(chunk, stack, number) : first) + (number & (CHUNK - 1));
  }

  private makeChunk(chunk: number, stack: number, number: number): number {
    const first = this.end;
    const firstNumber = number - (number & (CHUNK - 1));
    this.end += CHUNK;
    this.reserve();
    for (let offset = 0; offset < CHUNK; offset++) this.set(first + offset, `%_s${stack}_${firstNumber + offset}, `);
    this.chunks[chunk] = first;
    return first;
  }

  private set(text: number, characters: string): void {
    this.words[2 * text] = packWord(characters, 0);
    this.words[2 * text + 1] = packWord(characters, WORD_BYTES);
    this.lengths[text] = characters.length <= TEXT_BYTES ? characters.length : 0;
    if (characters.length > TEXT_BYTES) this.longNames.set(text, characters);
  }

  private reserve(): void {
    if (this.end <= this.lengths.length) return;
    const count = Math.max(2 * this.lengths.length, this.end);
    const words = new Float64Array(2 * count);
    const lengths = new Uint8Array(count);
    words.set(this.words);
    lengths.set(this.lengths);
    this.words = words;
    this.lengths = lengths;
  }
}
