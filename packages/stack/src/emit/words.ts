// Text as 8-byte words. A stub consists mostly of short pieces that are known beforehand, and copying them as float64
// words moves eight characters at a time. The text is ASCII: since no byte has its top bit set, no word is a NaN that
// an engine may change. The last word of a piece may write beyond the piece; the next piece overwrites that.

export const enum Word {
  bytes = 8,
  /** The number of words that are copied for every piece, whatever its length, because a loop would cost more. */
  perPiece = 3,
  /** The number of bytes beyond its length that writing a piece may touch. */
  slack = 24,
}

/** A fixed list of ASCII texts that are written by index. */
export class TextPieces {
  /** `Word.perPiece` words for each text; longer texts are written character by character. */
  readonly words: Float64Array;
  readonly lengths: Int32Array;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.words = new Float64Array(texts.length * Word.perPiece);
    this.lengths = Int32Array.from(texts, (text) => text.length);
    texts.forEach((text, index) => {
      for (let word = 0; word < Word.perPiece; word++) {
        this.words[index * Word.perPiece + word] = packWord(text, word * Word.bytes);
      }
    });
  }

  /** Writes a piece at a byte offset; returns the offset after it. */
  write(view: DataView, at: number, index: number): number {
    const length = this.lengths[index]!;
    if (length > Word.slack) return writeText(view, at, this.#texts[index]!);
    const word = index * Word.perPiece;
    view.setFloat64(at, this.words[word]!, true);
    view.setFloat64(at + Word.bytes, this.words[word + 1]!, true);
    view.setFloat64(at + 2 * Word.bytes, this.words[word + 2]!, true);
    return at + length;
  }
}

/** Writes a text of any length, character by character; returns the offset after it. */
export function writeText(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

/** Writes a number of at most 31 bits in decimal; returns the offset after it. */
export function writeNumber(view: DataView, at: number, number: number): number {
  let end = at + 1;
  for (let rest = number; rest >= 10; rest = Math.trunc(rest / 10)) end++;
  for (let rest = number, digit = end - 1; digit >= at; rest = Math.trunc(rest / 10), digit--) {
    view.setUint8(digit, 0x30 + (rest % 10));
  }
  return end;
}

/** The eight characters from `start` as one word, in the byte order that `DataView.setFloat64(…, true)` writes. */
export function packWord(text: string, start: number): number {
  for (let byte = 0; byte < Word.bytes; byte++) {
    const at = start + byte;
    packView.setUint8(byte, at < text.length ? text.charCodeAt(at) : 0);
  }
  return packView.getFloat64(0, true);
}

/** A text of two characters as a number, in the byte order that `DataView.setUint16(…, true)` writes. */
export function packPair(text: string): number {
  return text.charCodeAt(0) | (text.charCodeAt(1) << 8);
}

const packView = new DataView(new ArrayBuffer(Word.bytes));
