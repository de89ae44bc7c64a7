// Writes a source anew with statements in place of comments, each over the lines of its comment: parts stand on the line of
// a place in the source, or on the first one after it when an earlier part stands there already, and in the end there are
// as many lines as there were.
import { Ascii } from "./literal.js";
import type { Comment } from "./scan.js";

const MOST_PARTS = 64;

/** The new text of a source. */
export class SourceWriter {
  readonly #source: string;
  /** Statements and what stands between them; joined now and then, because many small strings cost more than their text. */
  #parts: string[] = [];
  readonly #chunks: string[] = [];
  #statement = "";
  /** Where the source was taken up to. */
  #at = 0;
  #end = 0;
  /** The next line end of the comment; not below `#end` when there is none. */
  #newline = 0;
  /** Where the line begins that has nothing on it yet, or -1. */
  #fresh = -1;
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
    this.#fresh = -1;
    this.#continuation = inDirective ? " \\" : "";
  }

  /** Puts a part on the line that is being written; a blank that it begins with parts it from what stands there. */
  put(part: string): void {
    if (this.#fresh !== -1) this.#statement += this.#indent(this.#fresh) + part.trimStart();
    else this.#statement += this.#statement === "" ? part.trimStart() : part;
    this.#fresh = -1;
  }

  /** Puts a part on the line of a place in the source, or later. */
  putAt(place: number, part: string): void {
    while (this.#newline < place) this.#endLine();
    this.put(part);
  }

  /** Ends the lines that the comment has left. */
  end(): void {
    while (this.#newline < this.#end) this.#endLine();
    this.#at = this.#end;
    if (this.#parts.push(this.#statement) < MOST_PARTS) return;
    this.#chunks.push(this.#parts.join(""));
    this.#parts = [];
  }

  /** The whole text, flat: a rope would be flattened by whoever reads it first. */
  finish(): string {
    return [...this.#chunks, ...this.#parts, this.#source.substring(this.#at)].join("");
  }

  #endLine(): void {
    const crlf = this.#source.charCodeAt(this.#newline - 1) === Ascii.carriageReturn;
    this.#statement += this.#continuation + (crlf ? "\r\n" : "\n");
    this.#fresh = this.#newline + 1;
    this.#newline = this.#newlineFrom(this.#fresh);
  }

  #newlineFrom(start: number): number {
    const found = this.#source.indexOf("\n", start);
    return found === -1 ? this.#source.length : found;
  }

  /** The blanks that a line begins with in the source. */
  #indent(start: number): string {
    let end = start;
    for (;;) {
      const code = this.#source.charCodeAt(end);
      if (code !== Ascii.blank && code !== Ascii.tab) return this.#source.substring(start, end);
      end++;
    }
  }
}
