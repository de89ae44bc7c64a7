// The memory of an emulated device: its allocations, their page table, and freed ranges. A free page follows each
// allocation. Freed memory is quarantined before it is reused, so that late accesses are detected.
import { EmulatorError } from "../error.js";
import type { HostFrame } from "./finding.js";
import { isShared, type LinearMemory, PAGE_BYTES, type TakeOptions, type WasmMemory } from "./memory.js";
import { giveSpareMemory, takeSpareMemory } from "./spare-memories.js";

const WASM_PAGE = 65536;
/** Two bytes for each page of 4 GiB. The operating system does not back pages of the table that are never touched. */
const TABLE_BYTES = (2 ** 32 / PAGE_BYTES) * 2;
/** The most memory that 32-bit offsets can address after the table. */
export const MOST_MEMORY = 2 ** 32 - TABLE_BYTES;
/** The most bytes in quarantine. */
const QUARANTINE_BYTES = 2 ** 24;
/** The most ranges in quarantine, and the most freed allocations that are remembered. */
const MOST_FREED = 1024;

/** A memory of which more bytes than these have been used is not kept for other devices. */
const MOST_CLEARED = 2 ** 22;

/** The memory of a closed device: views of it throw a RangeError. */
const CLOSED: WasmMemory = { buffer: new ArrayBuffer(0), grow: () => 0 };

/** An address that is farther away from the memory of a launch is not attributed to it. */
const NEAR_BYTES = 256;

/** A range of memory that is or was allocated. */
export interface Allocation {
  readonly offset: number;
  readonly bytes: number;
  /** A description for messages. */
  readonly label: string;
  readonly visible: boolean;
  readonly ofLaunch: boolean;
  readonly madeAt: readonly HostFrame[];
}

/** A free range: a multiple of a page. */
interface Gap {
  readonly offset: number;
  readonly bytes: number;
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;
/** The size including the free page that follows. */
const reserved = (bytes: number): number => roundUp(bytes, PAGE_BYTES) + PAGE_BYTES;
/** The pages of WebAssembly that the table and these bytes take. */
const pagesOf = (bytes: number): number => roundUp(TABLE_BYTES + bytes, WASM_PAGE) / WASM_PAGE;

export class PagedMemory implements LinearMemory {
  /** Only `close` replaces it. */
  memory: WasmMemory;
  readonly pageTable = 0;
  /** The most bytes of all allocations together. */
  readonly capacity: number;
  readonly limit: number;
  readonly #live = new Map<number, Allocation>();
  /** Freed allocations, the most recent last. */
  #freed: Allocation[] = [];
  readonly #quarantine: Gap[] = [];
  #quarantined = 0;
  /** Offsets whose release is postponed by `keeping`. */
  #kept: number[] | undefined;
  /** Free ranges, sorted by offset; no two are adjacent. */
  #gaps: Gap[] = [];
  /** Nothing at or after this offset has ever been allocated, so all bytes there are zero. */
  #end = TABLE_BYTES;

  /**
   * @param shared whether several threads of the host use it
   * @throws EmulatorError OUT_OF_MEMORY if the machine cannot provide the memory
   */
  constructor(capacity: number, shared = false) {
    this.capacity = capacity;
    this.limit = TABLE_BYTES + capacity;
    const maximum = pagesOf(capacity);
    try {
      this.memory =
        (shared ? undefined : takeSpareMemory(maximum)) ??
        new WebAssembly.Memory({ initial: pagesOf(Math.min(capacity, WASM_PAGE)), maximum, shared });
    } catch (cause) {
      throw new EmulatorError(
        "OUT_OF_MEMORY",
        `expected ${capacity} bytes of memory from the machine, found less`,
        { cause },
      );
    }
  }

  get free(): number {
    const gaps = [...this.#gaps, ...this.#quarantine].reduce((sum, { bytes }) => sum + bytes, 0);
    return this.limit - this.#end + gaps;
  }

  take(
    bytes: number,
    {
      visible = true,
      ofLaunch = false,
      zero = false,
      label = "memory",
      madeAt = [],
      align = PAGE_BYTES,
    }: TakeOptions = {},
  ): number {
    const used = this.#end;
    const size = reserved(bytes);
    const find = () => this.#fromGaps(size, align) ?? this.#fromEnd(size, align);
    let offset = find();
    if (offset === undefined) {
      this.#endQuarantine(0, 0);
      offset = find();
    }
    if (offset === undefined) {
      const wanted = `${bytes} bytes (${label}) and ${size - bytes} after them`;
      const room = `${this.capacity} bytes of memory, ${this.free} of them free`;
      throw new EmulatorError("OUT_OF_MEMORY", `expected room for ${wanted}, found ${room}`);
    }
    // Memory that was never allocated is zero already.
    if (offset < used) {
      if (zero) this.bytes(offset, bytes).fill(0);
      this.#freed = this.#freed.filter(
        (old) => old.offset + reserved(old.bytes) <= offset || old.offset >= offset + size,
      );
    }
    this.#live.set(offset, { offset, bytes, label, visible, ofLaunch, madeAt });
    if (visible) this.#mark(offset, bytes, true);
    return offset;
  }

  give(offset: number): void {
    if (this.#kept !== undefined) {
      this.#kept.push(offset);
      return;
    }
    this.giveNow(offset);
  }

  /** Frees memory by the offset that `take` returned, even while releases are postponed. */
  giveNow(offset: number): void {
    const allocation = this.#live.get(offset);
    if (allocation === undefined) return;
    this.#live.delete(offset);
    const gap = { offset, bytes: reserved(allocation.bytes) };
    if (!allocation.visible) {
      this.#release(gap);
      return;
    }
    this.#mark(offset, allocation.bytes, false);
    this.#freed.push(allocation);
    if (this.#freed.length > MOST_FREED) this.#freed.shift();
    this.#quarantine.push(gap);
    this.#quarantined += gap.bytes;
    this.#endQuarantine(MOST_FREED, QUARANTINE_BYTES);
  }

  /** Ends all use of this memory; another device may use it from now on. */
  close(): void {
    const used = this.#end - TABLE_BYTES;
    if (!isShared(this) && used <= MOST_CLEARED) {
      // Two bytes of the table describe a page.
      for (const scale of [PAGE_BYTES / 2, 1]) this.bytes(TABLE_BYTES / scale, used / scale).fill(0);
      giveSpareMemory(this.memory, pagesOf(this.capacity));
    }
    this.#live.clear();
    this.memory = CLOSED;
  }

  /** Runs work and postpones all releases until it is done, so that errors can name the owner of the memory. */
  async keeping<Result>(work: () => Promise<Result>): Promise<Result> {
    const kept: number[] = [];
    this.#kept = kept;
    try {
      return await work();
    } finally {
      this.#kept = undefined;
      for (const offset of kept) this.give(offset);
    }
  }

  /** A view that is valid until the next allocation. */
  bytes(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, offset, length);
  }

  /** The freed allocation that contained an offset. */
  freedAt(offset: number): Allocation | undefined {
    return this.#freed.findLast((old) => offset >= old.offset && offset < old.offset + old.bytes);
  }

  /** The visible allocation that begins or ends nearest to an offset. That of a launch has to be very near. */
  nearest(offset: number): Allocation | undefined {
    let best: Allocation | undefined;
    let least = Infinity;
    for (const allocation of this.#live.values()) {
      const distance = Math.max(
        allocation.offset - offset,
        offset - (allocation.offset + allocation.bytes),
        0,
      );
      const isFar = allocation.ofLaunch && distance > NEAR_BYTES;
      if (!allocation.visible || isFar || distance >= least) continue;
      [best, least] = [allocation, distance];
    }
    return best;
  }

  /** Marks a range as allocated or free in the page table. */
  #mark(offset: number, bytes: number, taken: boolean): void {
    const table = new Uint16Array(this.memory.buffer, this.pageTable, TABLE_BYTES / 2);
    const first = offset / PAGE_BYTES;
    const whole = first + Math.floor(bytes / PAGE_BYTES);
    table.fill(taken ? PAGE_BYTES : 0, first, whole);
    if (bytes % PAGE_BYTES !== 0) table[whole] = taken ? bytes % PAGE_BYTES : 0;
  }

  /** Takes the first gap that is large enough. */
  #fromGaps(size: number, align: number): number | undefined {
    const begin = (gap: Gap) => roundUp(gap.offset, align);
    const index = this.#gaps.findIndex((gap) => begin(gap) + size <= gap.offset + gap.bytes);
    const gap = this.#gaps[index];
    if (gap === undefined) return undefined;
    const offset = begin(gap);
    const end = gap.offset + gap.bytes;
    const rests = [
      { offset: gap.offset, bytes: offset - gap.offset },
      { offset: offset + size, bytes: end - offset - size },
    ];
    this.#gaps.splice(index, 1, ...rests.filter(({ bytes }) => bytes > 0));
    return offset;
  }

  #fromEnd(size: number, align: number): number | undefined {
    const before = this.#end;
    const offset = roundUp(before, align);
    const end = offset + size;
    if (end > this.limit) return undefined;
    if (!this.#grow(end)) return undefined;
    this.#end = end;
    if (offset > before) this.#release({ offset: before, bytes: offset - before });
    return offset;
  }

  /** Grows the memory up to `end`, with some slack to keep this rare. */
  #grow(end: number): boolean {
    const has = this.memory.buffer.byteLength;
    if (end <= has) return true;
    const spare = Math.min(this.limit, end + Math.floor((end - TABLE_BYTES) / 4));
    return [spare, end].some((wanted) => {
      try {
        this.memory.grow(roundUp(wanted - has, WASM_PAGE) / WASM_PAGE);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Releases the oldest quarantined ranges until at most `most` ranges and `mostBytes` bytes remain. */
  #endQuarantine(most: number, mostBytes: number): void {
    while (this.#quarantine.length > most || this.#quarantined > mostBytes) {
      const gap = this.#quarantine.shift()!;
      this.#quarantined -= gap.bytes;
      this.#release(gap);
    }
  }

  /** Adds a gap and merges it with adjacent ones. */
  #release({ offset, bytes }: Gap): void {
    const at = this.#gaps.findIndex((gap) => gap.offset > offset);
    const index = at === -1 ? this.#gaps.length : at;
    const before = this.#gaps[index - 1];
    const after = this.#gaps[index];
    const joinsBefore = before !== undefined && before.offset + before.bytes === offset;
    const joinsAfter = after !== undefined && offset + bytes === after.offset;
    const begin = joinsBefore ? before.offset : offset;
    const end = joinsAfter ? after.offset + after.bytes : offset + bytes;
    this.#gaps.splice(index - (joinsBefore ? 1 : 0), Number(joinsBefore) + Number(joinsAfter), {
      offset: begin,
      bytes: end - begin,
    });
  }
}
