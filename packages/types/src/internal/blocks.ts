// Files of little-endian u32 words in blocks with checksums: program files and kernel files. A file begins with its magic
// and version; each checksum covers all bytes before it.
import { CRC_START, crcOf, crcUpdate } from "./crc32.js";
import { bytesOf, wordsOf } from "./words.js";

/** A kind of file. */
export interface BlockFormat {
  /** For messages, such as `program file`. */
  readonly name: string;
  /**
   * The first two words: a byte outside ASCII, five letters, CR and LF, so that a transfer that treats the file as text
   * is detected immediately.
   */
  readonly magic: readonly [number, number];
  readonly version: number;
}

/** The words of a block before its body: kind, length of the body in bytes, checksum. */
export const BLOCK_HEAD_WORDS = 3;
/** The maximum length of a body, since a reader holds a whole block. */
export const LONGEST_BODY = 2 ** 28;

export type WordList = ArrayLike<number>;

export function joinedWords(parts: readonly WordList[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  return words;
}

/** Makes the words of a file in order. */
export class BlockWriter {
  #crc = CRC_START;

  /** The words before the first block. */
  prologue({ magic, version }: BlockFormat): WordList {
    const words = Uint32Array.of(...magic, version);
    this.#add(words);
    return words;
  }

  /** A block, whose body has at most `LONGEST_BODY` bytes. */
  block(kind: number, body: Uint32Array): readonly WordList[] {
    const head = Uint32Array.of(kind, 4 * body.length);
    return [head, [this.#add(head)], body, [this.#add(body)]];
  }

  #add(words: Uint32Array): number {
    this.#crc = crcUpdate(this.#crc, words, 0, words.length);
    return crcOf(this.#crc);
  }
}

/**
 * A generator that yields the number of bytes that it needs next and receives them, or fewer when the file ends first. The
 * same code reads bytes in memory and bytes that arrive over time.
 */
export type Steps<T> = Generator<number, T, Uint8Array>;

/** Runs steps on bytes in memory; each run continues where the previous one stopped. */
export function feeder(bytes: Uint8Array): <T>(steps: Steps<T>) => T {
  let at = 0;
  return (steps) => {
    let step = steps.next();
    while (!step.done) {
      const start = at;
      at = Math.min(bytes.length, start + step.value);
      step = steps.next(bytes.subarray(start, at));
    }
    return step.value;
  };
}

/** A block whose checksums were verified. */
export interface Block {
  readonly kind: number;
  /** The offset of the body in the file. */
  readonly offset: number;
  readonly words: Uint32Array;
}

export type BlockFault = "FILE_CHECKSUM" | "FILE_FORMAT" | "FILE_TRUNCATED";

/** Reads the blocks of a file in order. Nothing of a block is returned before its checksum was verified. */
export class BlockReader {
  readonly #format: BlockFormat;
  readonly #fail: (code: BlockFault, message: string, offset: number) => Error;
  #offset = 0;
  #crc = CRC_START;

  /** @param fail makes the error for a fault at an offset in the file */
  constructor(format: BlockFormat, fail: (code: BlockFault, message: string, offset: number) => Error) {
    this.#format = format;
    this.#fail = fail;
  }

  /** Reads the words before the first block. */
  *prologue(): Steps<void> {
    const { name, magic, version } = this.#format;
    const bytes = yield 4 * (magic.length + 1);
    // A difference is reported before a truncation: a short text is not a truncated file of this kind, but another kind
    // of file.
    const expected = bytesOf(Uint32Array.from(magic));
    if (expected.some((byte, index) => index < bytes.length && bytes[index] !== byte)) {
      throw this.#fail("FILE_FORMAT", `expected a ${name}, found other bytes`, 0);
    }
    const words = this.#wordsOf(bytes, magic.length + 1, `the first words of a ${name}`);
    const found = words[magic.length]!;
    if (found !== version) {
      throw this.#fail("FILE_FORMAT", `expected version ${version}, found ${found}`, 4 * magic.length);
    }
    this.#crc = crcUpdate(this.#crc, words, 0, words.length);
  }

  *block(): Steps<Block> {
    const start = this.#offset;
    const head = this.#wordsOf(yield 4 * BLOCK_HEAD_WORDS, BLOCK_HEAD_WORDS, "a block");
    this.#verify(head, start);
    const [kind, length] = head as unknown as [number, number];
    if (length > LONGEST_BODY || length % 4 !== 0) {
      const expected = `a multiple of 4 up to ${LONGEST_BODY} as the length of a block`;
      throw this.#fail("FILE_FORMAT", `expected ${expected}, found ${length}`, start + 4);
    }
    const offset = this.#offset;
    const words = this.#wordsOf(yield length + 4, length / 4 + 1, "the rest of a block");
    this.#verify(words, start);
    return { kind, offset, words: words.subarray(0, -1) };
  }

  /** Expects the end of the file. */
  *end(): Steps<void> {
    const rest = yield 1;
    if (rest.length > 0) {
      throw this.#fail("FILE_FORMAT", "expected the end of the file, found more bytes", this.#offset);
    }
  }

  /** The words of the requested bytes; fails if the file ended before all of them. */
  #wordsOf(bytes: Uint8Array, count: number, what: string): Uint32Array {
    const missing = 4 * count - bytes.length;
    if (missing > 0) {
      throw this.#fail(
        "FILE_TRUNCATED",
        `expected ${what}, ${missing} more bytes, found the end of the file`,
        this.#offset + bytes.length,
      );
    }
    this.#offset += bytes.length;
    return wordsOf(bytes);
  }

  /** Compares the last word with the checksum of everything before it. */
  #verify(words: Uint32Array, start: number): void {
    const end = words.length - 1;
    this.#crc = crcUpdate(this.#crc, words, 0, end);
    const [expected, found] = [crcOf(this.#crc), words[end]!];
    if (found === expected) return;
    throw this.#fail(
      "FILE_CHECKSUM",
      `expected checksum ${hex(expected)} of the bytes read, found ${hex(found)}: the file was altered in or before the block`,
      start,
    );
  }
}

const hex = (word: number): string => `0x${word.toString(16).padStart(8, "0")}`;
