// The memory behind an emulated device: who has which bytes, the table of pages that says so, and what was given back.
// Behind each allocation stays a page free. What was given back waits before it is used again, so that late accesses show.
import { EmulatorError } from "../error.js";
import { type LinearMemory, PAGE_BYTES, type TakeOptions } from "./memory.js";

const WASM_PAGE = 65536;
/** Two bytes for each page of 4 GiB. Pages of it that nobody touches cost no memory. */
const TABLE_BYTES = (2 ** 32 / PAGE_BYTES) * 2;
/** The most that 32 bits of offset reach, behind the table. */
export const MOST_MEMORY = 2 ** 32 - TABLE_BYTES;
/** Bytes that wait at most before they are used again. */
const QUARANTINE_BYTES = 2 ** 24;
/** Ranges that were given back and wait, and those that are remembered. */
const MOST_FREED = 1024;

/** A range of memory that is, or was, somebody's. */
export interface Allocation {
  readonly offset: number;
  readonly bytes: number;
  /** What it is, for messages. */
  readonly label: string;
  readonly visible: boolean;
}

/** Memory that nobody has: a multiple of a page. */
interface Gap {
  readonly offset: number;
  readonly bytes: number;
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;
/** With the free page behind it. */
const reserved = (bytes: number): number => roundUp(bytes, PAGE_BYTES) + PAGE_BYTES;

export class PagedMemory implements LinearMemory {
  readonly memory: WebAssembly.Memory;
  readonly pageTable = 0;
  /** Of all allocations together, in bytes. */
  readonly capacity: number;
  readonly #live = new Map<number, Allocation>();
  /** The newest last. */
  #freed: Allocation[] = [];
  readonly #quarantine: Gap[] = [];
  #quarantined = 0;
  /** What was given back while that had no effect. */
  #kept: number[] | undefined;
  /** In order of offset, never touching each other. */
  #gaps: Gap[] = [];
  /** Behind it nothing was ever taken, and all is 0. */
  #end = TABLE_BYTES;

  /**
   * @param shared whether several threads of the machine use it
   * @throws EmulatorError OUT_OF_MEMORY when the machine has no room for it
   */
  constructor(capacity: number, shared = false) {
    this.capacity = capacity;
    const pages = (bytes: number) => roundUp(TABLE_BYTES + bytes, WASM_PAGE) / WASM_PAGE;
    try {
      this.memory = new WebAssembly.Memory({
        initial: pages(Math.min(capacity, WASM_PAGE)),
        maximum: pages(capacity),
        shared,
      });
    } catch (cause) {
      throw new EmulatorError(
        "OUT_OF_MEMORY",
        `expected a machine that gives memory, found one that does not`,
        {
          cause,
        },
      );
    }
  }

  get free(): number {
    const gaps = [...this.#gaps, ...this.#quarantine].reduce((sum, { bytes }) => sum + bytes, 0);
    return TABLE_BYTES + this.capacity - this.#end + gaps;
  }

  take(bytes: number, { visible = true, zero = false, label = "memory" }: TakeOptions = {}): number {
    const used = this.#end;
    const size = reserved(bytes);
    let offset = this.#fromGaps(size) ?? this.#fromEnd(size);
    if (offset === undefined) {
      this.#endQuarantine(0, 0);
      offset = this.#fromGaps(size) ?? this.#fromEnd(size);
    }
    if (offset === undefined) {
      const wanted = `${bytes} bytes (${label}) and ${size - bytes} behind them`;
      const room = `${this.capacity} bytes of memory, of which ${this.free} are free`;
      throw new EmulatorError("OUT_OF_MEMORY", `expected room for ${wanted}, found ${room}`);
    }
    // What was never taken is 0 already.
    if (zero && offset < used) this.bytes(offset, bytes).fill(0);
    if (offset < used) {
      this.#freed = this.#freed.filter(
        (old) => old.offset + reserved(old.bytes) <= offset || old.offset >= offset + size,
      );
    }
    this.#live.set(offset, { offset, bytes, label, visible });
    if (visible) this.#mark(offset, bytes, true);
    return offset;
  }

  give(offset: number): void {
    if (this.#kept !== undefined) {
      this.#kept.push(offset);
      return;
    }
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

  /** Does work; what is given back meanwhile stays until it is done, so that errors can say whose memory it was. */
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

  /** A view that lasts until memory is taken. */
  bytes(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, offset, length);
  }

  /** What was at an offset and was given back since. */
  freedAt(offset: number): Allocation | undefined {
    return this.#freed.findLast((old) => offset >= old.offset && offset < old.offset + old.bytes);
  }

  /** The visible allocation that begins or ends nearest to an offset. */
  nearest(offset: number): Allocation | undefined {
    let best: Allocation | undefined;
    let least = Infinity;
    for (const allocation of this.#live.values()) {
      const distance = Math.max(
        allocation.offset - offset,
        offset - (allocation.offset + allocation.bytes),
        0,
      );
      if (!allocation.visible || distance >= least) continue;
      [best, least] = [allocation, distance];
    }
    return best;
  }

  /** Says in the table of pages that a range is somebody's, or nobody's. */
  #mark(offset: number, bytes: number, taken: boolean): void {
    const table = new Uint16Array(this.memory.buffer, this.pageTable, TABLE_BYTES / 2);
    const first = offset / PAGE_BYTES;
    const whole = first + Math.floor(bytes / PAGE_BYTES);
    table.fill(taken ? PAGE_BYTES : 0, first, whole);
    if (bytes % PAGE_BYTES !== 0) table[whole] = taken ? bytes % PAGE_BYTES : 0;
  }

  /** The first gap that has room. */
  #fromGaps(size: number): number | undefined {
    const index = this.#gaps.findIndex((gap) => gap.bytes >= size);
    const gap = this.#gaps[index];
    if (gap === undefined) return undefined;
    const rest = { offset: gap.offset + size, bytes: gap.bytes - size };
    this.#gaps.splice(index, 1, ...(rest.bytes > 0 ? [rest] : []));
    return gap.offset;
  }

  #fromEnd(size: number): number | undefined {
    const offset = this.#end;
    const end = offset + size;
    if (end > TABLE_BYTES + this.capacity) return undefined;
    if (!this.#grow(end)) return undefined;
    this.#end = end;
    return offset;
  }

  /** Makes the memory reach so far; with some to spare, so that it is not done often. */
  #grow(end: number): boolean {
    const has = this.memory.buffer.byteLength;
    if (end <= has) return true;
    const spare = Math.min(TABLE_BYTES + this.capacity, end + Math.floor((end - TABLE_BYTES) / 4));
    return [spare, end].some((wanted) => {
      try {
        this.memory.grow(roundUp(wanted - has, WASM_PAGE) / WASM_PAGE);
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Lets the oldest go until so many are left, and so many bytes. */
  #endQuarantine(most: number, mostBytes: number): void {
    while (this.#quarantine.length > most || this.#quarantined > mostBytes) {
      const gap = this.#quarantine.shift()!;
      this.#quarantined -= gap.bytes;
      this.#release(gap);
    }
  }

  /** Puts a gap among the others; neighbours become one. */
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
