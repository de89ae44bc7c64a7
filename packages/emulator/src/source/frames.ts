// Finds where instructions of a program were written in CUDA.
import { readModule, type SourceFrame, SourceLines } from "@mm-ptx/ptx";
import type { Program } from "../program/program.js";
import { textAt } from "../program/texts.js";

const known = new WeakMap<Program, Map<number, SourceLines>>();

/** The source lines of the text at an offset of a program's text, read on first use, and where that text begins. */
function sourceLinesAt(
  program: Program,
  offset: number,
): { readonly lines: SourceLines; readonly start: number } {
  const { start, text } = textAt(program, offset);
  const texts = known.get(program) ?? new Map<number, SourceLines>();
  known.set(program, texts);
  const lines = texts.get(start) ?? new SourceLines(readModule(text, { tolerant: true }));
  texts.set(start, lines);
  return { lines, start };
}

/** Whether a program was compiled with source lines, by `nvcc -lineinfo` or `nvcc -G`. */
export function hasSourceLines(program: Program): boolean {
  return (program.starts ?? [0]).some((start) => hasSourceLinesAt(program, start));
}

/** Whether the text at an offset of a program's text was compiled with source lines. */
export function hasSourceLinesAt(program: Program, offset: number): boolean {
  return !sourceLinesAt(program, offset).lines.isEmpty;
}

/**
 * Where an instruction was written in CUDA: the innermost inlined function first, the function of the program last.
 * Empty if the PTX was compiled without `-lineinfo`.
 * @param index index into `program.functions`
 * @param instruction index into its `instructions`
 */
export function sourceFrames(program: Program, index: number, instruction: number): readonly SourceFrame[] {
  const one = program.functions[index];
  if (one === undefined) return [];
  // A function without a final `ret` ends at its closing brace.
  const offset = one.instructions[instruction]?.span.start ?? one.span.end - 1;
  const { lines, start } = sourceLinesAt(program, offset);
  return lines.framesAt(offset - start);
}
