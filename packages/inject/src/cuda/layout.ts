// Writes a statement over the lines of the comment that it replaces: each part on the line of a place in the source, or on
// the first one after it when an earlier part stands there already; and in the end as many lines as there were.
import type { Span } from "@mm-ptx/types/core";
import { Ascii } from "./literal.js";

/** Text with the line ends of a part of a source. */
export class LineWriter {
  readonly #source: string;
  readonly #end: number;
  /** What a line ends with before its line end: in a directive, what makes it go on. */
  readonly #continuation: string;
  /** The next line end of the part; not below `#end` when there is none. */
  #newline: number;
  #lineStart = -1;
  #text = "";

  constructor(source: string, { start, end }: Span, inDirective: boolean) {
    this.#source = source;
    this.#end = end;
    this.#continuation = inDirective ? " \\" : "";
    this.#newline = this.#newlineFrom(start);
  }

  /** Puts a part on the line that is being written; a blank that it begins with parts it from what stands there. */
  put(part: string): void {
    if (this.#text !== "" && this.#lineStart === -1) this.#text += part;
    else this.#text += this.#indent() + part.trimStart();
    this.#lineStart = -1;
  }

  /** Puts a part on the line of a place in the source, or later. */
  putAt(place: number, part: string): void {
    while (this.#newline < place) this.#endLine();
    this.put(part);
  }

  /** The whole text. */
  finish(): string {
    while (this.#newline < this.#end) this.#endLine();
    return this.#text;
  }

  #endLine(): void {
    const crlf = this.#source.charCodeAt(this.#newline - 1) === Ascii.carriageReturn;
    this.#text += `${this.#continuation}${crlf ? "\r" : ""}\n`;
    this.#lineStart = this.#newline + 1;
    this.#newline = this.#newlineFrom(this.#lineStart);
  }

  #newlineFrom(start: number): number {
    const found = this.#source.indexOf("\n", start);
    return found === -1 ? this.#end : found;
  }

  /** The blanks that the line begins with in the source. */
  #indent(): string {
    if (this.#lineStart === -1) return "";
    let end = this.#lineStart;
    for (let code = Ascii.blank as number; code === Ascii.blank || code === Ascii.tab; end++)
      code = this.#source.charCodeAt(end);
    return this.#source.substring(this.#lineStart, end - 1);
  }
}
