// Describes a place in a text in words, including where rendered PTX was written.
import { describeLine, type SourceLine } from "@mm-ptx/types/core";

/** `line 12, column 2`, `text 2, line 12, column 2` of a program that was linked from several texts, or ``line 12, column 2 (injection `func`, site 1, stub line 3)``. */
export function placeText(
  line: number,
  column: number,
  source: SourceLine | undefined,
  text?: number | undefined,
): string {
  const origin = source === undefined ? "" : ` (${describeLine(source)})`;
  const prefix = text === undefined ? "" : `text ${text}, `;
  return `${prefix}line ${line}, column ${column}${origin}`;
}
