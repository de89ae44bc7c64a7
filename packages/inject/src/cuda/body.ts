// The contents of a comment without line continuations, with a mapping back to the source.
import type { Span } from "@mm-ptx/types/core";
import { isContinued } from "./literal.js";
import type { Comment } from "./scan.js";

/**
 * The text of a comment as its author means it. A continuation joins two lines, except in a directive, where every line
 * has to end in one and it is only part of the line end.
 */
export class Body {
  readonly text: string;
  /** Where the comment begins, if it has no continuation. */
  readonly #start: number;
  /** Otherwise, where the pieces of `text` begin, and their positions in the source. */
  readonly #starts: number[] | undefined;
  readonly #places: number[] | undefined;

  constructor(source: string, { bodyStart: start, bodyEnd: end, inDirective }: Comment) {
    this.text = source.substring(start, end);
    this.#start = start;
    if (!this.text.includes("\\")) return;
    const starts: number[] = [];
    const places: number[] = [];
    let text = "";
    const take = (from: number, to: number): void => {
      starts.push(text.length);
      places.push(from);
      text += source.substring(from, to);
    };
    let from = start;
    for (let newline = source.indexOf("\n", start); newline !== -1 && newline < end; ) {
      if (isContinued(source, newline)) {
        take(from, source.lastIndexOf("\\", newline));
        from = inDirective ? newline : newline + 1;
      }
      newline = source.indexOf("\n", newline + 1);
    }
    take(from, end);
    this.text = text;
    this.#starts = starts;
    this.#places = places;
  }

  /** The position of a part of `text` in the source. */
  span(start: number, end: number): Span {
    const first = this.#place(start);
    return { start: first, end: end > start ? this.#place(end - 1) + 1 : first };
  }

  #place(at: number): number {
    const starts = this.#starts;
    if (starts === undefined) return this.#start + at;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return this.#places![low]! + at - starts[low]!;
  }
}
