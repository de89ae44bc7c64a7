// The statement that stands where an annotation stood: each operand on its own line as far as the order of an asm
// statement allows, so that what nvcc says of it points there.
import { asmOrder, binding, cString, siteLines } from "../inline-asm.js";
import type { AnnotatedOperand, Annotation } from "./annotation.js";
import { LineWriter } from "./layout.js";
import { lineEndsOf } from "./line.js";

/** How sites are written. */
export type AnnotationMode = "asm" | "macro";

export const MODES: readonly string[] = ["asm", "macro"] satisfies AnnotationMode[];

/** What replaces the comment of an annotation, with as many line ends as it has. */
export function statementOf(source: string, annotation: Annotation, mode: AnnotationMode): string {
  const { start, end, inDirective } = annotation.comment;
  const ends = lineEndsOf(source, { start, end });
  const lines = new LineWriter(
    inDirective ? ends.map((lineEnd) => ` \\${lineEnd}`) : ends,
    indentsOf(source, start, end),
  );
  const lineOf = lineCounter(source, start);
  const placed = annotation.operands.map((operand) => ({ ...operand, line: lineOf(operand.span.start) }));
  if (mode === "asm") writeAsm(lines, annotation.name, placed);
  else writeMacro(lines, annotation.name, placed);
  return lines.finish();
}

/** An operand and the line of the comment that it stands on, counted from 0. */
interface PlacedOperand extends AnnotatedOperand {
  readonly line: number;
}

function writeAsm(lines: LineWriter, name: string, operands: readonly PlacedOperand[]): void {
  const text = siteLines(name, operands).join("\n\t");
  lines.put(0, `asm(${cString(text)}`);
  let section = "";
  for (const operand of asmOrder(operands)) {
    const colon = operand.direction === "in" ? "in" : "out";
    const separator = colon === section ? ", " : colon === "in" && section === "" ? " : : " : " : ";
    section = colon;
    lines.put(operand.line, separator + binding(operand));
  }
  lines.put(0, ");");
}

function writeMacro(lines: LineWriter, name: string, operands: readonly PlacedOperand[]): void {
  lines.put(0, `PTX_INJECT(${cString(name.replaceAll("%", "%%"))}`);
  for (const { line, direction, type, name: own, expression } of operands) {
    const words = own === expression ? expression : `${own}, ${expression}`;
    lines.put(line, `, PTX_${direction.toUpperCase()}(${type.name}, ${words})`);
  }
  lines.put(0, ");");
}

/** Gives the line of each offset, counted from the line of `start`; offsets must ascend. */
function lineCounter(source: string, start: number): (offset: number) => number {
  let line = 0;
  let next = source.indexOf("\n", start);
  return (offset) => {
    for (; next !== -1 && next < offset; next = source.indexOf("\n", next + 1)) line++;
    return line;
  };
}

/** The blanks that each line of the comment begins with. */
function indentsOf(source: string, start: number, end: number): string[] {
  const [, ...others] = source.slice(start, end).split("\n");
  return ["", ...others.map((line) => /^[ \t]*/.exec(line)![0])];
}
