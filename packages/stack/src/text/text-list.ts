// Texts that are written by index, stored as bytes.
import { writeDecimal } from "./numbers.js";

/** Texts by index, stored one after the other; an empty text means that the index itself is written. */
export class TextList {
  readonly count: number;
  readonly longest: number;
  readonly #bytes: Uint8Array;
  /** Where each text begins, and where the last one ends. */
  readonly #starts: Int32Array;

  constructor(texts: readonly (string | undefined)[]) {
    this.count = texts.length;
    this.#bytes = Uint8Array.from(texts.join(""), (letter) => letter.charCodeAt(0));
    this.#starts = new Int32Array(texts.length + 1);
    texts.forEach((text = "", index) => {
      this.#starts[index + 1] = this.#starts[index]! + text.length;
    });
    this.longest = texts.reduce((longest, text = "") => Math.max(longest, text.length), 0);
  }

  /** Writes a text, or the index when there is no text; returns the offset after it. */
  write(target: Uint8Array, at: number, index: number): number {
    if (index >= this.count) return writeDecimal(target, at, index);
    const bytes = this.#bytes;
    const starts = this.#starts;
    const end = starts[index + 1]!;
    let from = starts[index]!;
    if (from === end) return writeDecimal(target, at, index);
    let to = at;
    while (from < end) target[to++] = bytes[from++]!;
    return to;
  }
}
