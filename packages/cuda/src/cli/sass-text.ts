// The text of `inspect --sass`: machine code, with the source line before the instructions that come from it.

import type { CubinInspection } from "../cubin/inspect.js";
import type { CodeLine } from "../cubin/lines.js";
import type { SassFunction } from "../cubin/sass.js";
import { type Colors, printable } from "./framework.js";

/** `scale.cu:12`, or only the number for a PTX line; for inlined code, followed by the place of the call. */
export function placeText({ file, line, inlinedAt }: CodeLine): string {
  const place = file === "" ? `${line}` : `${file}:${line}`;
  return inlinedAt === undefined ? place : `${place} inlined at ${placeText(inlinedAt)}`;
}

export function sassText(
  { name, instructions }: SassFunction,
  found: CubinInspection,
  colors: Colors,
): string {
  const section = `.text.${name}`;
  const code = [...found.kernels, ...found.functions].find((each) => each.section === section);
  const lines = code === undefined ? [] : code.lines.length > 0 ? code.lines : code.ptxLines;
  const places = new Map(lines.map((line) => [line.offset, line]));
  const texts = [`${colors.bold(printable(name))}\n`];
  for (const { offset, text, labels } of instructions) {
    for (const label of labels) if (label !== name) texts.push(`${printable(label)}:\n`);
    const line = places.get(offset);
    const words = line === undefined ? "" : `${line.file === "" ? "PTX line " : ""}${placeText(line)}`;
    if (words !== "") texts.push(`    ${colors.dim(`// ${printable(words)}`)}\n`);
    texts.push(`  ${colors.dim(offset.toString(16).padStart(4, "0"))}  ${printable(text)}\n`);
  }
  return texts.join("");
}
