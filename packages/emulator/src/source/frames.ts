// Finds where instructions of a program were written in CUDA.
import { readModule, type SourceFrame, SourceLines } from "@mm-ptx/ptx";
import type { Program } from "../program/program.js";

const known = new WeakMap<Program, SourceLines>();

/** The source lines of a program, read on first use. */
export function sourceLinesOf(program: Program): SourceLines {
  const found = known.get(program) ?? new SourceLines(readModule(program.text, { tolerant: true }));
  known.set(program, found);
  return found;
}

/** Whether a program was compiled with source lines, by `nvcc -lineinfo` or `nvcc -G`. */
export function hasSourceLines(program: Program): boolean {
  return !sourceLinesOf(program).isEmpty;
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
  return sourceLinesOf(program).framesAt(one.instructions[instruction]?.span.start ?? one.span.end - 1);
}
