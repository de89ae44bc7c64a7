// Writes a source with statements in place of comments, each within the lines of its comment. A part is placed on the
// line of a position in the source, or on the next possible line if an earlier part already extends beyond it, and the
// number of lines stays the same.
import { Ascii } from "./literal.js";
import type { Comment } from "./scan.js";

/** The new text of a source. */
export class SourceWriter {
  readonly #source: string;
  /** Statements and the text between them. */
  readonly #parts: string[] = [];
  #statement = "";
  /** The position up to which the source has been copied. */
  #at = 0;
  #end = 0;
  /** The next line end of the comment; at least `#end` if there is none. */
  #newline = 0;
  /** The pending line end before a line that is still empty; -1 if the line has contents. */
  #ended = -1;
  /** What precedes a line end: in a directive, the continuation. */
  #continuation = "";

  constructor(source: string) {
    this.#source = source;
  }

  /** Copies the source up to a comment, which a statement will replace. */
  begin({ start, end, inDirective }: Comment): void {
    this.#parts.push(this.#source.substring(this.#at, start));
    this.#at = start;
    this.#end = end;
    this.#newline = this.#newlineFrom(start);
    this.#statement = "";
    this.#ended = -1;
    this.#continuation = inDirective ? " \\" : "";
  }

  /** Appends a part directly to the current line. */
  put(part: string): void {
    if (this.#ended !== -1) this.#beginLine();
    this.#statement += part;
  }

  /** Appends a part to the current line, after a blank if the line is not empty. */
  putApart(part: string): void {
    if (this.#ended !== -1) this.#beginLine();
    else if (this.#statement !== "") this.#statement += " ";
    this.#statement += part;
  }

  /** Appends a part, like `putApart`, on the line of a position in the source, or a later one. */
  putAt(place: number, part: string): void {
    while (this.#newline < place) this.#endLine();
    this.putApart(part);
  }

  /** Writes the remaining line ends of the comment, and returns the length of the statement. */
  end(): number {
    while (this.#newline < this.#end) this.#endLine();
    this.#writeLineEnd();
    this.#at = this.#end;
    // Reading a character makes V8 flatten the text, so that the pieces it was built from can be collected.
    this.#statement.charCodeAt(0);
    this.#parts.push(this.#statement);
    return this.#statement.length;
  }

  /** The whole text as a flat string, because otherwise its first reader would have to flatten it. */
  finish(): string {
    return [...this.#parts, this.#source.substring(this.#at)].join("");
  }

  #endLine(): void {
    this.#writeLineEnd();
    this.#statement += this.#continuation;
    this.#ended = this.#newline;
    this.#newline = this.#newlineFrom(this.#newline + 1);
  }

  /** Writes the pending line end, and the source after it up to `end`. */
  #writeLineEnd(end = this.#ended + 1): void {
    if (this.#ended === -1) return;
    const crlf = this.#source.charCodeAt(this.#ended - 1) === Ascii.carriageReturn;
    this.#statement += this.#source.substring(crlf ? this.#ended - 1 : this.#ended, end);
    this.#ended = -1;
  }

  #newlineFrom(start: number): number {
    const found = this.#source.indexOf("\n", start);
    return found === -1 ? this.#source.length : found;
  }

  /** Starts a line with the indentation that it has in the source. */
  #beginLine(): void {
    let end = this.#ended + 1;
    while (isIndent(this.#source.charCodeAt(end))) end++;
    this.#writeLineEnd(end);
  }
}

const isIndent = (code: number): boolean => code === Ascii.blank || code === Ascii.tab;
