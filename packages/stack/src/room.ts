// The memory of a compile: how much it starts with, how it grows, and how much is kept. These numbers are in one place
// so that a test can make them small enough to exercise all growth.
import { StackPtxError } from "./error.js";

export const ROOM = {
  /** A growing array becomes at least this many times as large. */
  growth: 2,
  /** Entries in lists of registers, requests, slots and numbers. */
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
  /**
   * Bytes of the parts of WebAssembly's memory that a compile may outgrow. Pages that are never touched cost nothing.
   */
  parts: {
    inputStacks: 0x10000,
    stacks: 0x100000,
    words: 0x400000,
    visit: 0x100000,
    order: 0x100000,
    nodes: 0x800000,
    bytes: 0x800000,
  },
  /** A workspace of more bytes than this is freed before the next compile. */
  keptBytes: 2 ** 28,
};

/** The new length of an array that is too short for `needed` elements. */
export function roomFor(needed: number, before: number): number {
  return Math.max(needed, before * ROOM.growth);
}

/** The parts of WebAssembly's memory that a compile may outgrow. */
export type GrowingPart = keyof typeof ROOM.parts;

/** Returns a copy with at least `length` elements. @throws StackPtxError INSUFFICIENT_AST_SIZE */
export function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  return copied<Int32Array<ArrayBuffer>>(Int32Array, array, length);
}

/** Copies into a larger array: of the usual room, or of exactly the needed length when there is no memory for more. */
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
    `expected a program that fits in memory, found one that needs an array of ${needed} elements`,
  );
}
