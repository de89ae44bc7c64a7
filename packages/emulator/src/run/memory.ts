// The memory of an emulated device: one WebAssembly memory that host, interpreter and translated kernels share. A table of
// pages says for every 256 bytes how many of them are allocated, so that an access is checked with one load.

/** The upper half of every device address; the lower half is an offset into linear memory. So no truncated pointer is valid. */
export const ADDRESS_UPPER = 0x7f00;

/** What is added to an offset to make a device address. */
export const ADDRESS_BASE = ADDRESS_UPPER * 2 ** 32;

/** Bytes of a page of the table. Allocations begin at multiples of it, with at least one free page between two. */
export const PAGE_BYTES = 256;

/** The upper half of function addresses, which no memory has. */
export const FUNCTION_UPPER = 0x7e00;

/** What `mov` gives for a function of a program, and what stands in tables of functions. */
export const functionAddress = (index: number): number => FUNCTION_UPPER * 2 ** 32 + index;

/** How memory is taken. */
export interface TakeOptions {
  /** Whether kernels may touch it by generic addresses; true by default. */
  readonly visible?: boolean;
  /** Whether its bytes are 0; false by default. */
  readonly zero?: boolean;
  /** What it is, for messages: `shared memory`. */
  readonly label?: string;
}

/** What the engines need of the memory. */
export interface LinearMemory {
  readonly memory: WebAssembly.Memory;
  /**
   * Where the table of pages stands: a u16 for each page of 32 bits of offset, the number of its first bytes that are
   * allocated. An access of `n` bytes at offset `o` is inside when `(o % 256) + n <= table[o / 256]`, for `n` of at most 16
   * and aligned. It never moves.
   */
  readonly pageTable: number;
  /**
   * Takes memory, at a multiple of 256. The memory may grow: views of it are to be taken anew.
   * @throws EmulatorError OUT_OF_MEMORY
   */
  take(bytes: number, options?: TakeOptions): number;
  /** Gives memory back by the offset that `take` gave. */
  give(offset: number): void;
}

/** Whether several threads of the machine may use a memory at the same time. */
export function isShared({ memory }: Pick<LinearMemory, "memory">): boolean {
  return typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
}
