// Programs as JSON, for tools that are not written in JavaScript.
import type { Genome, ProgramSpace } from "../spaces/space.js";
import type { ExportedProgram } from "./program.js";

/**
 * A JSON object: what the caller says of the program, its text and complexity, the registers, the words of the genome, and `values`: what is computed
 * one after the other, with the numbers of earlier values as operands and the bits of constants in hex. `results` are the values of the
 * outputs.
 */
export function exportJson(
  space: ProgramSpace,
  genome: Genome,
  program: ExportedProgram,
  facts: Readonly<Record<string, number | string>>,
): string {
  const { words, start, end } = genome;
  const values = program.values.map((value) => {
    const { kind, type } = value;
    if (value.kind === "input") return { kind, type, input: value.input };
    if (value.kind === "constant") return { kind, type, bits: `0x${value.bits.toString(16)}` };
    return { kind, type, instruction: value.text, operands: value.operands };
  });
  const content = {
    format: "mm-ptx-program",
    version: 1,
    kind: space.kind,
    text: space.text(genome),
    complexity: space.complexity(genome),
    inputs: program.inputs,
    outputs: program.outputs,
    values,
    results: program.results,
    words: Array.from(words.subarray(start, end)),
    space: space.description,
    ...facts,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
