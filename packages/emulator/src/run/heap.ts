// The heap of kernels: `malloc` and `free` (CUDA C++ Programming Guide, Dynamic Global Memory Allocation). It belongs to
// the device, so one launch may free what another one has allocated. Each block is an allocation of its own, so that
// accesses beyond it and after its release are detected.
import type { FaultPlace } from "./fault.js";
import { ADDRESS_BASE } from "./memory.js";
import type { PagedMemory } from "./paged-memory.js";
import { ifThereIsRoom } from "./room.js";

/** The default size of the heap, as of `cudaLimitMallocHeapSize`. */
export const DEFAULT_HEAP = 2 ** 23;

/** What a block takes of the heap besides its bytes, which are rounded up to a multiple of it. */
const UNIT = 16;
/** The most freed blocks whose addresses are remembered. */
const MOST_FREED = 65536;

/** A block that kernels have allocated and not freed. */
export interface HeapBlock {
  readonly address: bigint;
  readonly byteLength: number;
  /** `heap block 3`. */
  readonly label: string;
  /** The thread and the instruction that called `malloc`. */
  readonly place: FaultPlace;
}

/** Allocates and frees memory for threads. */
export interface Heap {
  /** The address of zeroed memory, or 0 where there is no room for it. The memory may grow. */
  allocate(bytes: bigint, place: FaultPlace): bigint;
  /** Frees a block; returns what is wrong with the address, in words, if something is. */
  free(address: bigint): string | undefined;
}

export class DeviceHeap implements Heap {
  readonly #memory: PagedMemory;
  #capacity: number;
  readonly #blocks = new Map<bigint, HeapBlock>();
  /** The labels of freed blocks by address, the oldest first. */
  readonly #freed = new Map<bigint, string>();
  #used = 0;
  #count = 0;

  constructor(memory: PagedMemory, capacity: number) {
    this.#memory = memory;
    this.#capacity = capacity;
  }

  /** Changes the size of the heap; returns false once kernels have allocated something. */
  resize(capacity: number): boolean {
    if (this.#count > 0) return false;
    this.#capacity = capacity;
    return true;
  }

  /** The blocks that have not been freed, in the order of their allocation. */
  get blocks(): readonly HeapBlock[] {
    return [...this.#blocks.values()];
  }

  allocate(bytes: bigint, place: FaultPlace): bigint {
    if (bytes > BigInt(this.#capacity)) return 0n;
    const byteLength = Number(bytes);
    const size = sizeOf(byteLength);
    if (this.#used + size > this.#capacity) return 0n;
    const label = `heap block ${this.#count + 1}`;
    const offset = ifThereIsRoom(() => this.#memory.take(byteLength, { zero: true, label }));
    if (offset === undefined) return 0n;
    this.#count++;
    this.#used += size;
    const address = BigInt(ADDRESS_BASE + offset);
    this.#freed.delete(address);
    this.#blocks.set(address, { address, byteLength, label, place });
    return address;
  }

  free(address: bigint): string | undefined {
    if (address === 0n) return undefined;
    const block = this.#blocks.get(address);
    const at = `0x${address.toString(16)}`;
    if (block === undefined) {
      const freed = this.#freed.get(address);
      return freed === undefined
        ? `\`free\` of ${at}, which \`malloc\` did not return`
        : `a second \`free\` of ${freed} at ${at}`;
    }
    this.#blocks.delete(address);
    this.#used -= sizeOf(block.byteLength);
    this.#freed.set(address, `${block.label} (${block.byteLength} bytes)`);
    if (this.#freed.size > MOST_FREED) this.#freed.delete(this.#freed.keys().next().value!);
    this.#memory.giveNow(Number(address) - ADDRESS_BASE);
    return undefined;
  }
}

const sizeOf = (bytes: number): number => Math.ceil(bytes / UNIT) * UNIT + UNIT;
