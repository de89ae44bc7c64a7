// Writes a source anew with statements in place of comments, each over the lines of its comment: parts stand on the line of
// a place in the source, or on the first one after it when an earlier part stands there already, and in the end there are
// as many lines as there were.
import { Ascii } from "./literal.js";
import type { Comment } from "./scan.js";

/** The new text of a source. */
export class SourceWriter {
  readonly #source: string;
  /** Statements and what stands between them. */
  readonly #parts: string[] = [];
  #statement = "";
  /** Where the source was taken up to. */
  #at = 0;
  #end = 0;
  /** The next line end of the comment; not below `#end` when there is none. */
  #newline = 0;
  /** The line end before a line that has nothing on it yet, which is not written either; -1 when there is something. */
  #ended = -1;
  /** What a line ends with before its line end: in a directive, what makes it go on. */
  #continuation = "";

  constructor(source: string) {
    this.#source = source;
  }

  /** Takes the source up to a comment, which a statement will stand in for. */
  begin({ start, end, inDirective }: Comment): void {
    this.#parts.push(this.#source.substring(this.#at, start));
    this.#at = start;
    this.#end = end;
    this.#newline = this.#newlineFrom(start);
    this.#statement = "";
    this.#ended = -1;
    this.#continuation = inDirective ? " \\" : "";
  }

  /** Puts a part directly behind what stands on the line that is being written. */
  put(part: string): void {
    if (this.#ended !== -1) this.#beginLine();
    this.#statement += part;
  }

  /** Puts a part on that line, with a blank between when something stands there. */
  putApart(part: string): void {
    if (this.#ended !== -1) this.#beginLine();
    else if (this.#statement !== "") this.#statement += " ";
    this.#statement += part;
  }

  /** Puts a part, as `putApart`, on the line of a place in the source, or later. */
  putAt(place: number, part: string): void {
    while (this.#newline < place) this.#endLine();
    this.putApart(part);
  }

  /** Ends the lines that the comment has left, and gives how long the statement has become. */
  end(): number {
    while (this.#newline < this.#end) this.#endLine();
    this.#writeLineEnd();
    this.#at = this.#end;
    // V8 makes one piece of a text that is looked into; the many that it was put together from can go then.
    this.#statement.charCodeAt(0);
    this.#parts.push(this.#statement);
    return this.#statement.length;
  }

  /** The whole text, flat: a rope would be flattened by whoever reads it first. */
  finish(): string {
    return [...this.#parts, this.#source.substring(this.#at)].join("");
  }

  #endLine(): void {
    this.#writeLineEnd();
    this.#statement += this.#continuation;
    this.#ended = this.#newline;
    this.#newline = this.#newlineFrom(this.#newline + 1);
  }

  /** Writes the line end that is not written yet, with what follows it up to `end` in the source. */
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

  /** Begins a line with the blanks that it has in the source. */
  #beginLine(): void {
    let end = this.#ended + 1;
    while (isIndent(this.#source.charCodeAt(end))) end++;
    this.#writeLineEnd(end);
  }
}

const isIndent = (code: number): boolean => code === Ascii.blank || code === Ascii.tab;
