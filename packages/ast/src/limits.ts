// The limits of a compile. By default programs of any length and depth compile, unless they would never end or not fit
// in memory. The limits of mm-ptx 1.1.1 can be selected by name.
import { type Check, type Checks, unexpected } from "@mm-ptx/types/internal";

/** The limits of a compile; each is an integer, or `Infinity` for no limit. */
export interface AstLimits {
  /** The number of values at a time, including those of the callers of a routine. */
  readonly maxStackDepth: number;
  /**
   * The nesting of routines; the main program does not count. A routine that runs itself is an error at any limit:
   * there are no conditions, so it would never end.
   */
  readonly maxRoutineDepth: number;
  /** The number of instructions in the main program or in a routine, the return included. */
  readonly maxInstructions: number;
  /** The number of arguments of one instruction. */
  readonly maxArgs: number;
  /**
   * The number of instructions in repeated runs of routines: every run after the first counts. Routines that run others
   * twice multiply this number.
   */
  readonly maxInlined: number;
}

/** Our defaults: repeated runs of routines may add up to 2^22 instructions, and everything else is unlimited. */
export const DEFAULT_LIMITS: AstLimits = Object.freeze({
  maxStackDepth: Number.POSITIVE_INFINITY,
  maxRoutineDepth: Number.POSITIVE_INFINITY,
  maxInstructions: Number.POSITIVE_INFINITY,
  maxArgs: Number.POSITIVE_INFINITY,
  maxInlined: 2 ** 22,
});

/** The limits of mm-ptx 1.1.1, which has no limit like `maxInlined`. */
export const REFERENCE_LIMITS: AstLimits = Object.freeze({
  maxStackDepth: 256,
  maxRoutineDepth: 8,
  maxInstructions: 65536,
  maxArgs: 4,
  maxInlined: DEFAULT_LIMITS.maxInlined,
});

const isLimit: Check = (value, name) =>
  (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && (value as number) >= 0
    ? undefined
    : unexpected(name, "a whole number of at least 0 or Infinity", value);

export const LIMIT_CHECKS: Checks = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, isLimit]),
);
