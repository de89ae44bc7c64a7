// The memory of an emulated device: one WebAssembly memory that host, interpreter and translated kernels share. A table of
// pages says for every 256 bytes how many of them are allocated, so that an access is checked with one load.

/** The upper half of every device address; the lower half is an offset into linear memory. So no truncated pointer is valid. */
export const ADDRESS_UPPER = 0x7f00;

/** What is added to an offset to make a device address. */
export const ADDRESS_BASE = ADDRESS_UPPER * 2 ** 32;

/** Bytes of a page of the table. Allocations begin at multiples of it, with at least one free page between two. */
export const PAGE_BYTES = 256;

/** What the engines need of the memory. */
export interface LinearMemory {
  readonly memory: WebAssembly.Memory;
  /**
   * Where the table of pages stands: a u16 for each page of the memory, the number of its first bytes that are allocated. An
   * access of `n` bytes at offset `o` is inside when `(o % 256) + n <= table[o / 256]`, for `n` of at most 16 and aligned.
   */
  readonly pageTable: number;
  /** Takes memory; the bytes are 0 when `zero`. `visible`: whether kernels may touch it by generic addresses. */
  take(bytes: number, options?: { readonly visible?: boolean; readonly zero?: boolean }): number;
  /** Gives memory back by the offset that `take` gave. */
  give(offset: number): void;
}
