// Where the loops find their data: the addresses that src/loops/memory.ts assigns, and numbers from src/layout.ts,
// src/workspace.ts and src/emit. Tests compare them. Nothing is checked here except by the bounds of the memory: every
// index comes from data that the compiler wrote or checked before.

// Words of the control block, at address 0: `Control` of src/loops/memory.ts.
export const NODES: usize = 0 << 2;
export const STACKS: usize = 1 << 2;
export const STRIDE: usize = 2 << 2;
export const INSTRUCTION_COUNT: usize = 3 << 2;
export const STACK_COUNT: usize = 4 << 2;
export const INPUT_STACKS: usize = 5 << 2;
export const INPUT_COUNT: usize = 6 << 2;
export const LAST_AST: usize = 7 << 2;
export const NODE_END: usize = 8 << 2;
export const AST_USED: usize = 9 << 2;
export const VISIT: usize = 10 << 2;
export const VISIT_DEPTH: usize = 11 << 2;
export const LAST_DEPTH: usize = 12 << 2;
export const ORDER: usize = 13 << 2;
export const ORDER_COUNT: usize = 14 << 2;
export const LAST_ORDERED: usize = 15 << 2;
export const UNLISTED: usize = 16 << 2;
export const LINE: usize = 17 << 2;

// Words of `state` while lines of a signature or of a code are written: `LineState` of src/loops/state.ts.
export const LINES_LINE: usize = 0 << 2;
export const LINES_NAMED: usize = 1 << 2;
export const LINES_END: usize = 2 << 2;

// Words of `state` while a program is observed: `ObservedState` there.
export const STATE_NODE_END: usize = 0 << 2;
export const STATE_AST_USED: usize = 1 << 2;
export const STATE_MADE: usize = 2 << 2;
export const STATE_SKIPPED: usize = 3 << 2;
export const STATE_NODES: usize = 4 << 2;
export const STATE_SIZES: usize = 5 << 2;
export const STATE_STACKS: usize = 6 << 2;
export const STATE_STRIDE: usize = 7 << 2;
export const STATE_SHAPE: usize = 8 << 2;
export const STATE_ORDER: usize = 9 << 2;
export const STATE_ORIGINS: usize = 10 << 2;
export const STATE_COUNTS: usize = 11 << 2;
export const STATE_DEAD: usize = 12 << 2;
export const STATE_INSTRUCTION_COUNT: usize = 13 << 2;
export const STATE_STACK_COUNT: usize = 14 << 2;
export const STATE_INPUT_STACKS: usize = 15 << 2;
export const STATE_INPUT_COUNT: usize = 16 << 2;
export const STATE_LAST_AST: usize = 17 << 2;
export const STATE_LIVE_END: usize = 18 << 2;
export const STATE_DEAD_END: usize = 19 << 2;

// Where the tables are: `Place` of src/loops/memory.ts.
export const DIGITS: usize = 0x100;
export const SIZES: usize = 0x1000;
export const REGISTER_COUNTS: usize = 0x2000;
export const REGISTER_TEXTS: usize = 0x4000;
export const CONSTANTS: usize = 0x8000;
export const SHAPE: usize = 0x10000;
export const MNEMONIC_LENGTHS: usize = 0x20000;
export const MNEMONICS: usize = 0x30000;

export const PTX: i32 = 1;
export const CONSTANT: i32 = 2;
export const INPUT: i32 = 3;
export const META: i32 = 5;
export const DUP: i32 = 0;
export const SWAP: i32 = 2;
export const ROTATE: i32 = 7;
/** The number of bytes before the first stack. */
export const STACK_PAD: usize = 8;
export const MIXED: i32 = 0x3fff;
export const NONE: i32 = 0;
export const FIRST_INPUT: i32 = 8;
export const LEAF_WORDS: i32 = 8;
export const SHAPED_WORDS: i32 = 10;
export const WHAT_CONSTANT: i32 = -0x20000000;
export const TEXT_LONG: i32 = -0x80000000;
export const MOST_CHARACTERS: i32 = 15;
export const PIECE_BYTES: i32 = 24;
export const OBSERVED_WORDS: i32 = 10;
export const LIVE: i32 = -0x80000000;
/** The bits of the number of a value: `Text.lengthShift`. */
export const NUMBER_BITS: i32 = 24;
export const LABEL_TEXT: i32 = 0x40000000;
export const LABEL_CONSTANT: i32 = -0x80000000;

// Offsets in bytes of a node's words: `Text.lengthWord` and the words of `Node`.
export const LENGTH_WORD: usize = 12;
export const WHAT: usize = 16;
export const NEXT: usize = 20;
export const LEAF: usize = 24;
export const BITS: usize = 28;
export const FIRST: usize = 28;
export const SECOND: usize = 32;
export const THIRD: usize = 36;
/** Where an observed value has its depth and the place where it is counted: `Observed` of src/analysis/observed.ts. */
export const DEPTH: usize = 12;
export const COUNTED: usize = 16;
/** Where a value has its label while a signature is made: `Label` of src/analysis/labels.ts. */
export const LABEL: usize = 12;
/** Where a text has its length. */
export const LENGTH: usize = 15;

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function at(base: usize, index: i32): usize {
  return base + ((<usize>index) << 2);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function word(base: usize, index: i32): i32 {
  return load<i32>(at(base, index));
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function setWord(base: usize, index: i32, value: i32): void {
  store<i32>(at(base, index), value);
}

/** Swaps the last two words before address `end`. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function swap(end: usize): void {
  store<u64>(end - 8, rotl<u64>(load<u64>(end - 8), 32));
}

/** Moves the last word before address `end` two places down. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function rotate(end: usize): void {
  const last = load<i32>(end - 4);
  store<u64>(end - 8, load<u64>(end - 12));
  store<i32>(end - 12, last);
}

/** The shape of a PTX instruction, see `MachineTable`. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
export function shapeOf(instruction: i32): i32 {
  return load<i32>((<usize>instruction) << 2, SHAPE);
}
