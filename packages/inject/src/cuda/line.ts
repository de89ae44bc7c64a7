// The lines of an annotation as its author means them: without continuations, but with the way back to the source.
import type { Span } from "@mm-ptx/types/core";
import { Ascii, isBlank, isContinued } from "./literal.js";

/** A line of an annotation. */
export class Line {
  /** Without line end and continuations. */
  readonly text: string;
  readonly #pieces: readonly Span[];

  constructor(source: string, pieces: readonly Span[]) {
    this.text = pieces.map(({ start, end }) => source.slice(start, end)).join("");
    this.#pieces = pieces;
  }

  /** Where a part of `text` stands in the source. */
  span(start: number, end: number): Span {
    const first = this.#offset(start);
    return { start: first, end: end > start ? this.#offset(end - 1) + 1 : first };
  }

  #offset(at: number): number {
    let rest = at;
    for (const { start, end } of this.#pieces) {
      if (rest < end - start) return start + rest;
      rest -= end - start;
    }
    return this.#pieces.at(-1)!.end;
  }
}

/**
 * The lines of a body. A continuation joins two, but in a directive, where every line has to end in one, it is only part
 * of the line end.
 */
export function linesOf(source: string, body: Span, inDirective: boolean): Line[] {
  const lines: Line[] = [];
  let pieces: Span[] = [];
  for (let start = body.start; start <= body.end; ) {
    const newline = source.indexOf("\n", start);
    const last = newline === -1 || newline >= body.end;
    const end = last ? body.end : newline;
    const continued = !last && isContinued(source, newline) && source.lastIndexOf("\\", end) >= start;
    const cut = continued ? source.lastIndexOf("\\", end) : trimmedEnd(source, start, end);
    pieces.push({ start, end: cut });
    if (last || inDirective || !continued) {
      lines.push(new Line(source, pieces));
      pieces = [];
    }
    start = last ? body.end + 1 : newline + 1;
  }
  return lines;
}

/** Where the blanks begin that end a line, a carriage return among them. */
function trimmedEnd(source: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(source.charCodeAt(at - 1))) at--;
  return at;
}

/** The line ends of a part of the source, each as it is written there. */
export function lineEndsOf(source: string, { start, end }: Span): string[] {
  const ends: string[] = [];
  for (let at = source.indexOf("\n", start); at !== -1 && at < end; at = source.indexOf("\n", at + 1)) {
    ends.push(source.charCodeAt(at - 1) === Ascii.carriageReturn ? "\r\n" : "\n");
  }
  return ends;
}
