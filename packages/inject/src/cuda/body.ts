// What a comment says, without continuations, but with the way back to the source.
import type { Span } from "@mm-ptx/types/core";
import { isContinued } from "./literal.js";

/**
 * The text of a comment as its author means it. A continuation joins two lines, but in a directive, where every line has to
 * end in one, it is only part of the line end.
 */
export class Body {
  readonly text: string;
  /** Where pieces of `text` begin, and where they stand in the source. */
  readonly #starts: number[] = [];
  readonly #places: number[] = [];

  constructor(source: string, { start, end }: Span, inDirective: boolean) {
    const whole = source.substring(start, end);
    if (!whole.includes("\\")) {
      this.text = whole;
      this.#starts.push(0);
      this.#places.push(start);
      return;
    }
    let text = "";
    const take = (from: number, to: number): void => {
      this.#starts.push(text.length);
      this.#places.push(from);
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
  }

  /** Where a part of `text` stands in the source. */
  span(start: number, end: number): Span {
    const first = this.#place(start);
    return { start: first, end: end > start ? this.#place(end - 1) + 1 : first };
  }

  #place(at: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return this.#places[low]! + at - this.#starts[low]!;
  }
}
