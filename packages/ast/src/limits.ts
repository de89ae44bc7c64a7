// What bounds a compile. By default only what would not end, or not fit memory: programs of any length and depth
// compile. The reference's bounds can be had by name.
import { checkNames, invalid } from "./checks.js";

/** The bounds of a compile; each an integer, or `Infinity` for none. */
export interface AstLimits {
  /** Values at a time, those of the callers of a routine included. */
  readonly maxStackDepth: number;
  /**
   * Routines that run inside each other; the main program does not count. Whatever the limit, a routine that runs
   * itself is an error: there are no conditions, so it never ends.
   */
  readonly maxRoutineDepth: number;
  /** Instructions of the main program or of a routine, the return included. */
  readonly maxInstructions: number;
  /** Arguments of one instruction. */
  readonly maxArgs: number;
  /** Instructions of routines that run again, counted each time but the first: routines that run others twice multiply. */
  readonly maxInlined: number;
}

/** Ours: routines that run again may add up to 2^22 instructions, all else is unlimited. */
export const DEFAULT_LIMITS: AstLimits = Object.freeze({
  maxStackDepth: Number.POSITIVE_INFINITY,
  maxRoutineDepth: Number.POSITIVE_INFINITY,
  maxInstructions: Number.POSITIVE_INFINITY,
  maxArgs: Number.POSITIVE_INFINITY,
  maxInlined: 2 ** 22,
});

/** Those of mm-ptx 1.1.1, which has none like `maxInlined`. */
export const REFERENCE_LIMITS: AstLimits = Object.freeze({
  maxStackDepth: 256,
  maxRoutineDepth: 8,
  maxInstructions: 65536,
  maxArgs: 4,
  maxInlined: DEFAULT_LIMITS.maxInlined,
});

/**
 * Completes limits with the defaults.
 * @throws AstPtxError INVALID_VALUE for an unknown name or a value that is neither an integer from 0 nor `Infinity`
 */
export function resolveLimits(limits: Partial<AstLimits> | "reference" | undefined): AstLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  if (limits === "reference") return REFERENCE_LIMITS;
  checkNames("limit", limits, Object.keys(DEFAULT_LIMITS), "limits by name or `reference` as `limits`");
  const resolved: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(Number.isInteger(value) || value === Number.POSITIVE_INFINITY) || value < 0) {
      throw invalid(`an integer from 0 up or Infinity as limit \`${name}\``, value);
    }
    resolved[name] = value;
  }
  return resolved as unknown as AstLimits;
}
