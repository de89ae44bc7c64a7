// Memory that threads share.
import { nodeThreads } from "@mm-ptx/types/internal";

/** Whether there are threads, and memory that they can share: in Node, and in pages that are cross-origin isolated. */
export function canShare(): boolean {
  if (typeof SharedArrayBuffer === "undefined") return false;
  if (nodeThreads() !== undefined) return true;
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return typeof Worker === "function" && crossOriginIsolated === true;
}

export type BufferKind = new (bytes: number) => ArrayBufferLike;

/** A copy of plain data and its arrays of numbers, which threads share if the buffers are of that kind. */
export function copied<Data>(data: Data, Buffer?: BufferKind): Data;
export function copied(data: unknown, Buffer: BufferKind = ArrayBuffer): unknown {
  if (ArrayBuffer.isView(data)) {
    const Kind = data.constructor as new (buffer: ArrayBufferLike) => Uint8Array;
    const copy = new Kind(new Buffer(data.byteLength));
    copy.set(data as Uint8Array);
    return copy;
  }
  if (Array.isArray(data)) return data.map((each) => copied(each, Buffer));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copied(value, Buffer)]));
}
