// What bounds a compile. The reference's bounds keep programs meaning what they mean there; the two that only make
// deep programs fail are raised by default.
import { checkNames, integer, invalid } from "./arguments.js";

/** Bounds of a compile. */
export interface StackLimits {
  /** AST entries: one a pushed input, constant or special element, one a flat argument and flat result of each PTX instruction. */
  readonly maxAstSize: number;
  /** Entries of the stack that emission walks the AST with. */
  readonly maxVisitDepth: number;
  /** Values that each stack holds; pushes beyond it are dropped. Part of what a program means. */
  readonly stackSize: number;
  /** Nested frames, the main program included. Part of what a program means. */
  readonly maxFrameDepth: number;
  /** Slots of store and load. Part of what a program means. */
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

/** Ours: the reference's, with room for live chains of more than 100,000 instructions. */
export const DEFAULT_LIMITS: StackLimits = Object.freeze({
  ...REFERENCE_LIMITS,
  maxAstSize: 2 ** 24,
  maxVisitDepth: 2 ** 24,
});

/** Instructions fetched in one compile when the caller does not say. */
export const DEFAULT_EXECUTION_LIMIT = 2 ** 24;

/** The same for a trace, of which every instruction takes memory. */
export const DEFAULT_TRACE_LIMIT = 2 ** 16;

/** Values and characters of all steps of a trace together: lists of stacks that an instruction changed, and texts. */
export const MOST_TRACED = 2 ** 25;

/** Typed arrays are indexed with 32-bit integers, two words an entry. */
const LARGEST_LIMIT = 2 ** 28;

/**
 * Completes limits with the defaults.
 * @throws StackPtxError INVALID_VALUE for an unknown name or a value that is no integer from 0 to 2^28
 */
export function resolveLimits(limits: Partial<StackLimits> | "reference" | undefined): StackLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  if (limits === "reference") return REFERENCE_LIMITS;
  if (typeof limits !== "object" || limits === null || Array.isArray(limits)) {
    throw invalid("limits by name or `reference` as `limits`", limits);
  }
  checkNames("limit", Object.keys(limits), Object.keys(DEFAULT_LIMITS));
  const resolved: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    resolved[name] = integer(`limit \`${name}\``, value, LARGEST_LIMIT);
  }
  return resolved as unknown as StackLimits;
}
