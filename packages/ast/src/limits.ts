// The limits of a compile. By default programs of any length and depth compile, unless they would never end or not fit
// in memory. The limits of mm-ptx 1.1.1 can be selected by name.
import { checkNames, invalid } from "./checks.js";

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

/** The limits of mm-ptx 1.1.1, which has none like `maxInlined`. */
export const REFERENCE_LIMITS: AstLimits = Object.freeze({
  maxStackDepth: 256,
  maxRoutineDepth: 8,
  maxInstructions: 65536,
  maxArgs: 4,
  maxInlined: DEFAULT_LIMITS.maxInlined,
});

/**
 * Completes limits with the defaults.
 * @throws AstPtxError INVALID_ARGUMENT for an unknown name, or a value that is neither an integer of at least 0 nor
 * `Infinity`
 */
export function resolveLimits(limits: Partial<AstLimits> | "reference" | undefined): AstLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  if (limits === "reference") return REFERENCE_LIMITS;
  if (Object.prototype.toString.call(limits) !== "[object Object]")
    throw invalid("limits by name or `reference` as `limits`", limits);
  checkNames(limits, Object.keys(DEFAULT_LIMITS), "limit");
  const resolved: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(Number.isInteger(value) || value === Number.POSITIVE_INFINITY) || value < 0) {
      throw invalid(`an integer of at least 0 or Infinity as limit \`${name}\``, value);
    }
    resolved[name] = value;
  }
  return resolved as unknown as AstLimits;
}
