// The sites of a text's injections: their places, and the values that the kernel passes at each.
import type { Span } from "@mm-ptx/types/core";
import type { Kernel, OperandValues } from "./kernel.js";
import type { Scan } from "./marked/scan.js";

/** A place in the PTX where an injection's stub goes; there are several if the compiler unrolled or inlined it. */
export interface Site {
  /** The line of the start marker, counted from 1. */
  readonly line: number;
  /**
   * The text that a stub replaces: from the tab before the start marker to the end of the end marker's line, without
   * its line end.
   */
  readonly span: Span;
  /** The kernel or device function that contains it; `undefined` if there is none. */
  readonly functionName: string | undefined;
  /** The values that are moved in and out here, one entry for each operand of the injection. */
  readonly values: readonly OperandValues[];
}

/**
 * The sites of each injection. One walk over the text counts the lines; the PTX around the sites is read when a
 * function name or the values of a site are first used.
 */
export function locate(kernel: Kernel, scanned: Scan): readonly (readonly Site[])[] {
  const { text } = kernel;
  const { groups, groupOf, starts, ends } = scanned;
  const sites: Site[][] = groups.map(() => []);
  let line = 1;
  let newline = text.indexOf("\n");
  for (let i = 0; i < starts.length; i++) {
    const span = Object.freeze({ start: starts[i]!, end: ends[i]! });
    for (; newline !== -1 && newline < span.start; newline = text.indexOf("\n", newline + 1)) line++;
    const site = {
      line,
      span,
      get functionName() {
        return kernel.functionNameAt(span.start);
      },
      get values() {
        return kernel.valuesOf(i);
      },
    };
    sites[groupOf[i]!]!.push(Object.freeze(site));
  }
  return sites.map((list) => Object.freeze(list));
}
