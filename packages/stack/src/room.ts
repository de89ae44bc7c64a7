// How much memory there is at first, how it grows, and how much is kept. One place, so that a test can make all of it so
// small that everything which may grow does, at every place where it may.
import { StackPtxError } from "./error.js";

export const ROOM = {
  /** What grows becomes at least so many times as large. */
  growth: 2,
  /** Entries of lists of registers, requests, slots and numbers. */
  entries: 16,
  /** Values on each stack. */
  stride: 128,
  /** Suspended frames. */
  frames: 1024,
  /** Words of a signature without WebAssembly. */
  signature: 1024,
  /** Arrays of a workspace without WebAssembly: words, and bytes of text. */
  nodes: 4096,
  walk: 256,
  text: 16384,
  /** Bytes of what a compile may outgrow in WebAssembly's memory. Pages that are never touched cost nothing. */
  parts: {
    inputStacks: 0x10000,
    stacks: 0x100000,
    words: 0x400000,
    visit: 0x100000,
    order: 0x100000,
    nodes: 0x800000,
    bytes: 0x800000,
  },
  /** A workspace of more bytes is given back before the next compile. */
  keptBytes: 2 ** 28,
};

/** The elements that an array has when `needed` are needed, which are more than it has. */
export function roomFor(needed: number, before: number): number {
  return Math.max(needed, before * ROOM.growth);
}

/** What a compile may outgrow of WebAssembly's memory. */
export type GrowingPart = keyof typeof ROOM.parts;

/** A copy with at least `length` elements. @throws StackPtxError INSUFFICIENT_AST_SIZE */
export function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return copied<Int32Array<ArrayBuffer>>(Int32Array, array, length);
}

/** A copy in a larger array: of the usual room, or of as much as is needed, when there is memory for no more. */
export function copied<T extends Int32Array | Uint8Array>(
  kind: new (length: number) => T,
  array: Int32Array | Uint8Array,
  needed: number,
): T {
  for (const length of [roomFor(needed, array.length), needed]) {
    try {
      const larger = new kind(length);
      larger.set(array);
      return larger;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new StackPtxError(
    "INSUFFICIENT_AST_SIZE",
    `expected a program that memory is enough for, found one that needs an array of ${needed} elements`,
  );
}
