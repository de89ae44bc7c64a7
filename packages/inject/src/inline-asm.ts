// The asm statement of a site: the marker of SPEC's 1.x form, or a stub in its place. Each operand has a register of its
// own, `_x<i>`, that values are moved into and out of; asm numbers what it writes first.
import type { InjectType } from "@mm-ptx/types/core";
import type { Direction } from "./marked/marker.js";

/** An operand of a statement to be written. */
export interface AsmOperand {
  readonly name: string;
  readonly direction: Direction;
  readonly type: InjectType;
  readonly expression: string;
}

const LETTERS: Readonly<Record<Direction, string>> = { mod: "m", out: "o", in: "i" };
const CONSTRAINTS: Readonly<Record<Direction, string>> = { mod: "+", out: "=", in: "" };
const ORDER: readonly Direction[] = ["mod", "out", "in"];

/** Operands in the order of their registers: all mod, then all out, then all in. */
export function canonicalOrder<T extends { readonly direction: Direction }>(operands: readonly T[]): T[] {
  return ORDER.flatMap((direction) => operands.filter((operand) => operand.direction === direction));
}

/** Operands in the order that an asm statement lists them: written ones first. */
export const asmOrder = <T extends { readonly direction: Direction }>(operands: readonly T[]): T[] => [
  ...operands.filter(({ direction }) => direction !== "in"),
  ...operands.filter(({ direction }) => direction === "in"),
];

/** The lines of the statement's text, as PTX with `%0`, `%1`, … for what asm binds. */
export function siteLines(name: string, operands: readonly AsmOperand[]): string[] {
  const bound = new Map(asmOrder(operands).map((operand, index) => [operand, index]));
  // Without operands nothing is put in, and `%` stands for itself.
  const sign = operands.length === 0 ? "%" : "%%";
  const text = (words: string): string => words.replaceAll("%", sign);
  const ordered = canonicalOrder(operands);
  const lines = ["{"];
  ordered.forEach(({ type }, i) => {
    lines.push(`.reg .${type.registerType} %%_x${i};`);
  });
  ordered.forEach((operand, i) => {
    if (operand.direction !== "out")
      lines.push(`mov.${operand.type.movPostfix} %%_x${i}, %${bound.get(operand)};`);
  });
  lines.push(`// PTX_INJECT_START ${text(name)}`);
  ordered.forEach(({ name: own, direction, type }, i) => {
    lines.push(text(`// _x${i} ${LETTERS[direction]} ${type.registerType} ${type.name} ${own}`));
  });
  lines.push("// PTX_INJECT_END");
  ordered.forEach((operand, i) => {
    if (operand.direction !== "in")
      lines.push(`mov.${operand.type.movPostfix} %${bound.get(operand)}, %%_x${i};`);
  });
  lines.push("}");
  return lines;
}

/** `"+f"(y)` */
export function binding({ direction, type, expression }: AsmOperand): string {
  return `"${CONSTRAINTS[direction]}${type.registerChar}"(${type.registerCast}(${expression}))`;
}

/** A text as a C string literal. */
export function cString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
