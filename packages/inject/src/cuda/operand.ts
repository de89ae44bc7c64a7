// Operands with their types, and their two orders: that of the registers, and that of an asm statement.
import type { InjectType } from "@mm-ptx/types/core";
import { describeValue, quoted } from "@mm-ptx/types/internal";
import type { Direction } from "../marked/marker.js";

/** An operand of a statement to be written. */
export interface TypedOperand {
  readonly name: string;
  readonly direction: Direction;
  readonly type: InjectType;
  /** The expression that asm binds. */
  readonly expression: string;
}

/** In the order of registers. */
export const DIRECTIONS: readonly Direction[] = ["mod", "out", "in"];

/** Operands in the order of their registers: all mod, then all out, then all in. */
export function canonicalOrder<T extends { readonly direction: Direction }>(operands: readonly T[]): T[] {
  const ordered: T[] = [];
  for (const direction of DIRECTIONS) {
    for (const operand of operands) if (operand.direction === direction) ordered.push(operand);
  }
  return ordered;
}

/** Operands as an asm statement lists and numbers them: outputs first. */
export function asmOrder<T extends { readonly direction: Direction }>(operands: readonly T[]): T[] {
  const written = operands.filter(({ direction }) => direction !== "in");
  return [...written, ...operands.filter(({ direction }) => direction === "in")];
}

/** Why a name cannot appear in a marker, where it is the rest of a line, or `undefined`. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name === "string" && name !== "" && name.trim() === name && !CONTROL.test(name))
    return undefined;
  const found = name === "" ? "none" : typeof name === "string" ? quoted(name) : describeValue(name);
  return `expected a name of one line, without blanks around it, found ${found}`;
}

const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
