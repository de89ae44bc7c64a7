// The limits of a compile. The limits that affect what programs mean have the values of mm-ptx 1.1.1. The two that only
// make deep programs fail have larger defaults.
import { type Checks, isWhole } from "@mm-ptx/types/internal";

/** Limits of a compile. */
export interface StackLimits {
  /**
   * AST entries: one for each pushed input, constant or special element, and one for each flat argument and flat result
   * of a PTX instruction.
   */
  readonly maxAstSize: number;
  /** Entries of the stack with which emission walks the AST. */
  readonly maxVisitDepth: number;
  /** Values that each stack can hold; further pushes are dropped. This limit affects the meaning of programs. */
  readonly stackSize: number;
  /** Nested frames, the main program included. This limit affects the meaning of programs. */
  readonly maxFrameDepth: number;
  /** Slots for store and load. This limit affects the meaning of programs. */
  readonly storeSize: number;
}

/** The defaults of mm-ptx 1.1.1. */
export const REFERENCE_LIMITS: StackLimits = Object.freeze({
  maxAstSize: 65536,
  maxVisitDepth: 1024,
  stackSize: 128,
  maxFrameDepth: 4,
  storeSize: 16,
});

/** Our defaults: those of mm-ptx 1.1.1, with room for live chains of more than 100,000 instructions. */
export const DEFAULT_LIMITS: StackLimits = Object.freeze({
  ...REFERENCE_LIMITS,
  maxAstSize: 2 ** 24,
  maxVisitDepth: 2 ** 24,
});

/** The number of instructions that a compile fetches at most when the caller sets no limit. */
export const DEFAULT_EXECUTION_LIMIT = 2 ** 24;

/** The same for a trace, in which every instruction takes memory. */
export const DEFAULT_TRACE_LIMIT = 2 ** 16;

/**
 * The number of values and characters in all steps of a trace: entries of the stacks that each instruction changed, and
 * texts.
 */
export const MOST_TRACED = 2 ** 25;

/** Typed arrays are indexed with 32-bit integers, two words an entry. */
export const LARGEST_LIMIT = 2 ** 28;

export const LIMIT_CHECKS: Checks = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, isWhole(0, LARGEST_LIMIT)]),
);
