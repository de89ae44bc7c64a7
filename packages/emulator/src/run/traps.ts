// Descriptions of traps, shared by both engines.
import type { Operation } from "../program/operation.js";

export const BEYOND_TARGETS = "an index past the targets of the branch";

/** The trap of an indirect call. */
export const NO_FUNCTION = "an address that does not belong to a function with these parameters";

/** The trap of an instruction that always traps, which may say why. */
export const executed = ({ name, modifiers }: Operation): string =>
  modifiers.why ?? `the kernel executed \`${name}\``;
