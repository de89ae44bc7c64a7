// The texts of a program that was linked from several: a program has them one after another in a single text.
import { codeFrame, type LineOrigins, type Span } from "@mm-ptx/types/core";
import { TextLines } from "@mm-ptx/types/internal";
import type { Program } from "./program.js";

/** One of the texts of a program. */
export interface ProgramText {
  /** Counted from 1; undefined if the program has one text only. */
  readonly number: number | undefined;
  /** Its offset in the text of the program. */
  readonly start: number;
  readonly text: string;
}

/** What separates two texts. */
export const SEPARATOR = "\n";

/** The text at an offset. */
export function textAt({ text, starts }: Pick<Program, "text" | "starts">, offset: number): ProgramText {
  const index = starts === undefined ? 0 : starts.findLastIndex((start) => start <= offset);
  if (starts === undefined) return { number: undefined, start: 0, text };
  const start = starts[index]!;
  const next = starts[index + 1];
  const end = next === undefined ? text.length : next - SEPARATOR.length;
  return { number: index + 1, start, text: text.slice(start, end) };
}

/** The line of an instruction with its number in its own text. */
export function frameAt(program: Program, { start, end }: Span): string {
  const text = textAt(program, start);
  return codeFrame(text.text, { start: start - text.start, end: end - text.start });
}

/** The origins of the lines of texts that are joined; undefined if none of them has origins. */
export function joinedOrigins(
  texts: readonly { readonly text: string; readonly origins?: LineOrigins | undefined }[],
): LineOrigins | undefined {
  if (texts.length === 1) return texts[0]!.origins;
  if (texts.every(({ origins }) => origins === undefined)) return undefined;
  const firsts: number[] = [];
  let next = 1;
  for (const { text } of texts) {
    firsts.push(next);
    next += new TextLines(text).positionAt(text.length).line;
  }
  return {
    locate: (line) => {
      const index = firsts.findLastIndex((first) => first <= line);
      return texts[index]?.origins?.locate(line - firsts[index]! + 1);
    },
    stubs: () => texts.flatMap(({ origins }) => [...(origins?.stubs() ?? [])]),
  };
}
