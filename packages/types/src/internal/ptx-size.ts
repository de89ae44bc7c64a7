// The limit for the size of PTX. It is checked before anything is copied, because copying gigabytes blocks the event
// loop.

/** The length of the longest string in V8: PTX becomes a string when it is quoted, and more would end the process. */
const LONGEST_PTX = 2 ** 29 - 24;

/** A bound on the size of PTX, and what imposes it. */
export interface PtxLimit {
  readonly bytes: number;
  readonly why: string;
}

export const STRING_LIMIT: PtxLimit = { bytes: LONGEST_PTX, why: "the longest string" };

/** Describes PTX that is too long; returns `undefined` for any other size. */
export function ptxSizeProblem(bytes: number, limit: PtxLimit = STRING_LIMIT): string | undefined {
  if (bytes <= limit.bytes) return undefined;
  return `expected PTX of at most ${limit.bytes} bytes (${limit.why}), found ${bytes}`;
}
