// The instructions that access images at coordinates, and what they access.
import type { Step } from "../../control/step.js";
import { itemsOf, type Operand } from "../../program/operand.js";
import { type PtxType, TYPES } from "../../program/types.js";
import type { Access } from "../access.js";

/** The sizes of elements, in bytes. */
export const ELEMENT_BYTES = [1, 2, 4, 8, 16] as const;

/** Whether an instruction reads a texture at coordinates. */
export function isFetch({ operation: { traits, modifiers, words } }: Step): boolean {
  const isGather = modifiers.part !== undefined && words.has("2d");
  return traits.procedure && (isGather || (modifiers.geom !== undefined && modifiers.clamp === undefined));
}

/** Whether an instruction reads or writes a surface at coordinates. */
export const isSurfaceAccess = ({ operation: { traits, modifiers } }: Step): boolean =>
  traits.procedure && modifiers.geom !== undefined && modifiers.clamp !== undefined;

/** What an instruction reads from a surface or writes to it. */
export function surfaceValue({ source: { operands }, operation: { traits, types } }: Step): {
  readonly type: PtxType;
  readonly items: readonly Operand[];
  readonly access: Access;
} {
  const type = types[0]!;
  const items = itemsOf(traits.writes ? operands.at(-1)! : operands[0]!);
  const bytes = (TYPES[type].bits / 8) * items.length;
  return { type, items, access: { kind: traits.writes ? "store" : "load", space: "global", bytes } };
}
