// The memory of an emulated device: one WebAssembly memory that the host, the interpreter and translated kernels share.
// A page table stores, for every 256 bytes, how many of them are allocated, so that one load checks an access.
import type { HostFrame } from "./finding.js";

/**
 * The upper half of every device address; the lower half is an offset into linear memory. Truncated pointers are thus
 * never valid.
 */
export const ADDRESS_UPPER = 0x7f00;

/** Added to an offset to form a device address. */
export const ADDRESS_BASE = ADDRESS_UPPER * 2 ** 32;

/** Bytes per page of the page table. Allocations start at multiples of it, with at least one free page in between. */
export const PAGE_BYTES = 256;

/**
 * The size of the memory to which the memory check redirects accesses outside of allocations: more than the widest
 * access takes.
 */
export const NOWHERE_BYTES = 64;

/** The upper half of function addresses, which no memory has. */
export const FUNCTION_UPPER = 0x7e00;

/** The upper half of generic addresses in the shared memory of other blocks of a cluster. */
export const CLUSTER_UPPER = 0x7d00;

/** The value that `mov` produces for a function of the program; tables of functions contain the same values. */
export const functionAddress = (index: number): number => FUNCTION_UPPER * 2 ** 32 + index;

/** Options of an allocation. */
export interface TakeOptions {
  /** Whether kernels may access it by generic addresses; true by default. */
  readonly visible?: boolean;
  /** Whether it is taken for a launch, such as shared memory; false by default. */
  readonly ofLaunch?: boolean;
  /** Whether its bytes are zeroed; false by default. */
  readonly zero?: boolean;
  /** A description for messages, such as `shared memory`. */
  readonly label?: string;
  /** The calls of the host that made it, for findings. */
  readonly madeAt?: readonly HostFrame[];
  /** The offset is a multiple of it, which is a multiple of `PAGE_BYTES`; `PAGE_BYTES` by default. */
  readonly align?: number;
}

/** A `WebAssembly.Memory`, whose own type only the DOM library declares: programs for Node do without that library. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the memory that engines use. */
export interface LinearMemory {
  readonly memory: WasmMemory;
  /**
   * Offset of the page table: for each page of the 32-bit offset range, a u16 with the number of its leading bytes that
   * are allocated. An access of `n` bytes at offset `o` is in bounds if `(o % 256) + n <= table[o / 256]`, for aligned
   * accesses of at most 16 bytes. The table never moves.
   */
  readonly pageTable: number;
  /** No allocation is beyond this offset. */
  readonly limit: number;
  /**
   * Allocates memory and returns its offset, a multiple of 256. The memory may grow, which invalidates views of it.
   * @throws EmulatorError OUT_OF_MEMORY
   */
  take(bytes: number, options?: TakeOptions): number;
  /** Frees memory by the offset that `take` returned. */
  give(offset: number): void;
}

/** Whether several threads of the host may use the memory at the same time. */
export function isShared({ memory }: Pick<LinearMemory, "memory">): boolean {
  return typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
}
