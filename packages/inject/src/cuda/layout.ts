// Writes a statement over the lines of the comment that it replaces: each part on a line that it names, or on the first one
// after it when an earlier part stands there already; and in the end as many lines as there were.

/** Text on a fixed number of lines. */
export class LineWriter {
  readonly #ends: readonly string[];
  readonly #indents: readonly string[];
  #line = 0;
  #text = "";
  #begun = true;

  /** `ends` are the line ends; `indents` what a line begins with, should something stand on it. */
  constructor(ends: readonly string[], indents: readonly string[]) {
    this.#ends = ends;
    this.#indents = indents;
  }

  /** Puts a part on a line, or later. */
  put(line: number, part: string): void {
    this.#advance(line);
    if (!this.#begun) this.#text += this.#indents[this.#line];
    this.#begun = true;
    this.#text += part;
  }

  /** The whole text. */
  finish(): string {
    this.#advance(this.#ends.length);
    return this.#text;
  }

  #advance(line: number): void {
    for (; this.#line < line; this.#line++) {
      this.#text += this.#ends[this.#line];
      this.#begun = false;
    }
  }
}
