// Where in a text the sites of its injections are.
import type { Span } from "@mm-ptx/types/core";
import type { Scan } from "./marked/scan.js";

/** A place in the PTX where an injection's stub goes: several when the compiler unrolled or inlined it. */
export interface Site {
  /** The line of the start marker, counted from 1. */
  readonly line: number;
  /** What a stub replaces: from the tab before the start marker to the end of the end marker's line, without its line end. */
  readonly span: Span;
}

/** The sites of each injection; one walk over the text counts the lines. */
export function locate(text: string, { groups, groupOf, starts, ends }: Scan): readonly (readonly Site[])[] {
  const sites: Site[][] = groups.map(() => []);
  let line = 1;
  let newline = text.indexOf("\n");
  for (let i = 0; i < starts.length; i++) {
    const span = { start: starts[i]!, end: ends[i]! };
    for (; newline !== -1 && newline < span.start; newline = text.indexOf("\n", newline + 1)) line++;
    sites[groupOf[i]!]!.push(Object.freeze({ line, span: Object.freeze(span) }));
  }
  return sites.map((list) => Object.freeze(list));
}
