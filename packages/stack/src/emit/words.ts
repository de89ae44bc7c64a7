// Text as 8-byte words. A stub is mostly short pieces that are known beforehand; copying them as float64 words moves
// eight characters at a time. ASCII only: no byte has its top bit set, so no word is a NaN that the engine may change.
// A piece's last word may write beyond it; the next piece overwrites that.

export const WORD_BYTES = 8;

/** Words that every piece is copied with, whatever its length: a loop would cost more. */
const SHORT_WORDS = 3;
const SHORT_BYTES = SHORT_WORDS * WORD_BYTES;
/** Bytes that writing a piece may touch beyond its length. */
export const PIECE_SLACK = SHORT_BYTES;

/** A fixed list of ASCII texts, to be written by index. */
export class TextPieces {
  private readonly words: Float64Array;
  readonly lengths: Int32Array;
  /** What does not fit `SHORT_BYTES`. */
  private readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
    this.words = new Float64Array(texts.length * SHORT_WORDS);
    this.lengths = Int32Array.from(texts, (text) => text.length);
    texts.forEach((text, index) => {
      for (let word = 0; word < SHORT_WORDS; word++) {
        this.words[index * SHORT_WORDS + word] = packWord(text, word * WORD_BYTES);
      }
    });
  }

  /** Writes a piece at a byte offset; returns the offset behind it. */
  write(view: DataView, at: number, index: number): number {
    const { words } = this;
    const word = index * SHORT_WORDS;
    view.setFloat64(at, words[word]!, true);
    view.setFloat64(at + WORD_BYTES, words[word + 1]!, true);
    view.setFloat64(at + 2 * WORD_BYTES, words[word + 2]!, true);
    const length = this.lengths[index]!;
    if (length > SHORT_BYTES) writeText(view, at, this.texts[index]!);
    return at + length;
  }
}

/** Writes a text of any length, character by character; returns the offset behind it. */
export function writeText(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

/** The eight characters from `start` as one word that `DataView.setFloat64(…, true)` writes in order. */
export function packWord(text: string, start: number): number {
  for (let byte = 0; byte < WORD_BYTES; byte++) {
    const at = start + byte;
    packView.setUint8(byte, at < text.length ? text.charCodeAt(at) : 0);
  }
  return packView.getFloat64(0, true);
}

/** A text of two characters as the number that `DataView.setUint16(…, true)` writes. */
export function packPair(text: string): number {
  return text.charCodeAt(0) | (text.charCodeAt(1) << 8);
}

const packView = new DataView(new ArrayBuffer(WORD_BYTES));
