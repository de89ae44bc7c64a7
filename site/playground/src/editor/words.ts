// The first words of the lines of Stack PTX that are not names of instructions.

/** Operations on a stack. */
export const STACK_OPERATIONS = [
  "dup",
  "yank_dup",
  "swap",
  "swap_with",
  "replace",
  "drop",
  "clear",
  "rotate",
  "reverse",
] as const;

export const META_WORDS = [
  "ptx",
  "const",
  "input",
  "special",
  "meta",
  "routine",
  "return",
  "store",
  "load",
  ...STACK_OPERATIONS,
] as const;
