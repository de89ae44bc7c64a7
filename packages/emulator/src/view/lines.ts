// Converts counts of instructions to counts of lines for the listing and the heat map.
import { TextLines } from "@mm-ptx/types/internal";
import { invalid } from "../device/check.js";
import type { Program } from "../program/program.js";
import { sourceFrames } from "../source/frames.js";
import { frameWords } from "../source/words.js";

const texts = new WeakMap<Program, TextLines>();

/** The lines of a program's text, computed once. */
export function linesOf(program: Program): TextLines {
  const known = texts.get(program) ?? new TextLines(program.text);
  texts.set(program, known);
  return known;
}

/**
 * A line of a function and how often threads executed its instructions; the count is undefined for lines without any.
 */
export interface CountedLine {
  /** Counted from 1; undefined for a row that names the place in CUDA of the rows after it. */
  readonly line: number | undefined;
  readonly text: string;
  readonly count: number | undefined;
}

/** A function with its lines, from its first directive to its closing brace. */
export interface CountedFunction {
  readonly name: string;
  readonly lines: readonly CountedLine[];
  /** The sum over all its instructions. */
  readonly total: number;
}

/**
 * @param counts counts by function and instruction, as reported by a launch with `counts: true`
 * @throws EmulatorError INVALID_ARGUMENT
 */
export function countedFunctions(program: Program, counts: readonly Float64Array[]): CountedFunction[] {
  checkCounts(program, counts);
  const lines = linesOf(program);
  const texts = program.text.split("\n");
  return program.functions.map(({ name, span, instructions }, index) => {
    const byLine = new Map<number, number>();
    const places = new Map<number, string>();
    let place = "";
    let total = 0;
    for (const [i, instruction] of instructions.entries()) {
      const { line } = lines.positionAt(instruction.span.start);
      const count = counts[index]?.[i] ?? 0;
      total += count;
      byLine.set(line, (byLine.get(line) ?? 0) + count);
      const now = frameWords(sourceFrames(program, index, i));
      if (now !== place) places.set(line, now);
      place = now;
    }
    const first = lines.positionAt(span.start).line;
    const last = lines.positionAt(span.end).line;
    const shown = texts.slice(first - 1, last).flatMap((text, i) => {
      const line = first + i;
      const row = { line, text: text.replace(/\r$/, ""), count: byLine.get(line) };
      const written = places.get(line) ?? "";
      return written === "" ? [row] : [{ line: undefined, text: `// ${written}`, count: undefined }, row];
    });
    return { name, lines: shown, total };
  });
}

/** @throws EmulatorError INVALID_ARGUMENT */
export function checkCounts(program: Program, counts: readonly Float64Array[] | undefined): void {
  if (!Array.isArray(program?.functions)) throw invalid("the `program` of a module", program);
  const { functions } = program;
  const fits =
    counts?.length === functions.length &&
    functions.every(({ instructions }, i) => counts[i]?.length === instructions.length);
  if (!fits) throw invalid("the counts of a launch of this program with `counts: true`", counts);
}

/** Integers with thousands separators: `1,024`. */
export const grouped = (count: number): string => `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** Columns between two tab stops, as in compiler output. */
const TAB = 8;

/** Replaces tabs with spaces up to the next stop. */
export function expanded(text: string): string {
  const [first = "", ...rest] = text.split("\t");
  return rest.reduce((line, part) => line + " ".repeat(TAB - (line.length % TAB)) + part, first);
}
