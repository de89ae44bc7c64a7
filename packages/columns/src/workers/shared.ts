// Memory that threads share.
import { nodeThreads } from "@mm-ptx/types/internal";

/** Whether there are threads, and memory that they can share: in Node, and in pages that are cross-origin isolated. */
export function canShare(): boolean {
  if (typeof SharedArrayBuffer === "undefined") return false;
  if (nodeThreads() !== undefined) return true;
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return typeof Worker === "function" && crossOriginIsolated === true;
}

type Shareable = Uint8Array | Uint32Array | Float64Array | BigUint64Array;

/** A copy that threads share. */
export function sharedCopy<Kind extends Shareable>(array: Kind): Kind {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => Kind;
  const copy = new Kind(new SharedArrayBuffer(array.byteLength));
  copy.set(array as never);
  return copy;
}
