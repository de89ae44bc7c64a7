// Texts that are written by index, kept as bytes.
import { writeDecimal } from "./numbers.js";

/** Texts by index, one after the other; an empty one where the index itself is to be written. */
export class TextList {
  readonly count: number;
  readonly longest: number;
  private readonly bytes: Uint8Array;
  /** Where each begins, and where the last ends. */
  private readonly starts: Int32Array;

  constructor(texts: readonly (string | undefined)[]) {
    this.count = texts.length;
    this.bytes = Uint8Array.from(texts.join(""), (letter) => letter.charCodeAt(0));
    this.starts = new Int32Array(texts.length + 1);
    texts.forEach((text = "", index) => {
      this.starts[index + 1] = this.starts[index]! + text.length;
    });
    this.longest = texts.reduce((longest, text = "") => Math.max(longest, text.length), 0);
  }

  /** Writes a text, or the index when there is none; gives the offset behind it. */
  write(target: Uint8Array, at: number, index: number): number {
    if (index >= this.count) return writeDecimal(target, at, index);
    const { bytes, starts } = this;
    const end = starts[index + 1]!;
    let from = starts[index]!;
    if (from === end) return writeDecimal(target, at, index);
    let to = at;
    while (from < end) target[to++] = bytes[from++]!;
    return to;
  }
}
