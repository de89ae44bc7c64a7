// Places in a text: offsets internally, and lines and columns only for people.

/**
 * The number of characters of a line that a code frame shows, and how many of them come before the place when the line
 * is cut.
 */
const LONGEST_LINE = 200;
const LEAD = 60;

/** A half-open range of UTF-16 offsets into a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place as an editor shows it. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset. LF and CRLF both end a line. */
export function positionAt(text: string, offset: number): Position {
  const end = Math.min(offset, text.length);
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < end; next = text.indexOf("\n", next + 1)) {
    line++;
    lineStart = next + 1;
  }
  return { line, column: end - lineStart + 1 };
}

/** A text whose lines are indexed once, to look up many places in it. */
export class TextLines {
  readonly text: string;
  /** The offset at which each line begins. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.text = text;
    this.#starts = starts;
  }

  /** Like `positionAt`. */
  positionAt(offset: number): Position {
    const end = Math.min(offset, this.text.length);
    let [first, last] = [0, this.#starts.length - 1];
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if (this.#starts[middle]! <= end) first = middle;
      else last = middle - 1;
    }
    return { line: first + 1, column: end - this.#starts[first]! + 1 };
  }

  /** Like `codeFrame`. */
  codeFrame(span: Span): string {
    return codeFrameAt(this.text, span, this.positionAt(span.start));
  }
}

/** The offset of the first character of a line (counted from 1); the text's length when there is no such line. */
export function lineOffset(text: string, line: number): number {
  let offset = 0;
  for (let current = 1; current < line; current++) {
    const next = text.indexOf("\n", offset);
    if (next === -1) return text.length;
    offset = next + 1;
  }
  return offset;
}

/**
 * The source line of a span with carets below it, two lines of text:
 * ```
 *   12 | // PTX_INJECT_START func
 *      |    ^^^^^^^^^^^^^^^^
 * ```
 */
export function codeFrame(text: string, span: Span): string {
  return codeFrameAt(text, span, positionAt(text, span.start));
}

/** `codeFrame` for a span whose position is already known. */
export function codeFrameAt(text: string, span: Span, { line, column }: Position): string {
  const lineStart = span.start - (column - 1);
  // A long line, such as JSON without line ends, is cut to the part around the place.
  const from = column <= LONGEST_LINE - LEAD ? lineStart : span.start - LEAD;
  const cut = from === lineStart ? "" : "…";
  const source = text
    .slice(from, from + LONGEST_LINE)
    .split("\n", 1)[0]!
    .replace(/\r$/, "");
  const label = `${line}`.padStart(5);
  const before = span.start - from;
  const lead = cut.replace("…", " ") + source.slice(0, before).replace(/[^\t]/g, " ");
  const width = Math.min(span.end - span.start, source.length - before);
  return `${label} | ${cut}${source}\n${" ".repeat(label.length)} | ${lead}${"^".repeat(Math.max(1, width))}`;
}
