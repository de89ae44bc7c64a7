// Memory as JavaScript sees it: columns of lanes, one for each row.
import type { Kind } from "../arithmetic/operation.js";

/**
 * How the values of a column are kept: as words of 32 bits, to which narrower values are extended by the sign of their type; as
 * words of 64 bits; or, for predicates, as words of 32 bits that are 0 or 1.
 */
export type LaneClass = "32" | "64" | "pred";

/** The same memory as words, floats, double words and doubles. */
export interface JavaScriptLanes {
  readonly words: Uint32Array;
  readonly floats: Float32Array;
  readonly longs: BigUint64Array;
  readonly doubles: Float64Array;
}

/** The views of a buffer. The memory of a WebAssembly instance needs new ones when it has grown. */
export function javaScriptLanes(buffer: ArrayBufferLike): JavaScriptLanes {
  const longs = Math.floor(buffer.byteLength / 8);
  return {
    words: new Uint32Array(buffer, 0, 2 * longs),
    floats: new Float32Array(buffer, 0, 2 * longs),
    longs: new BigUint64Array(buffer, 0, longs),
    doubles: new Float64Array(buffer, 0, longs),
  };
}

/** Whether values of a kind have lanes of 64 bits. */
export const isWide = (kind: Kind): boolean => kind === "i64" || kind === "f64";
