// The memory of a compile: one buffer that contains regions one after the other. A region that needs more room moves
// those after it. The buffer is the memory of the WebAssembly loop where there is one; all compilers of a thread share
// it, because a compile finishes before another one starts.

import { LITTLE_ENDIAN } from "../endian.js";
import { AstPtxError } from "../error.js";
import { Control, Region, Value } from "./addresses.js";
import { copyValue, setText } from "./text.js";

/** The distance of the last digit from the end of `%ast12, `, and the code of the digit 0. */
const LAST_DIGIT = 3;
const ZERO = 48;

const PAGE = 65536;
/** The initial size of each region. */
const ROOMS = [128, 1024, 1024, 6144, 1024, 1024, 16384, 1024, 16384, 16384, 65536];
/** Addresses fit in 31 bits. */
const MOST_BYTES = 2 ** 31 - PAGE;

export class Arena {
  view!: DataView;
  bytes!: Uint8Array;
  #words!: Uint32Array;
  readonly #starts: number[] = [];
  readonly #rooms = [...ROOMS];
  #end = 0;
  /** The number of values in the registers region. */
  #registerCount = 0;

  readonly #memory: WebAssembly.Memory | undefined;

  /** @param memory contains the regions; without it the arena allocates its own buffer */
  constructor(memory?: WebAssembly.Memory) {
    this.#memory = memory;
    for (const room of ROOMS) {
      this.#starts.push(this.#end);
      this.#end += room;
    }
    this.#extend();
    this.#writeStarts();
  }

  /** The number of bytes in use. */
  get size(): number {
    return this.#end;
  }

  /** The address of a region. */
  start(region: Region): number {
    return this.#starts[region]!;
  }

  /** Makes room for `size` bytes in a region; regions after it may move. @throws AstPtxError INSUFFICIENT_BUFFER */
  reserve(region: Region, size: number): void {
    const room = this.#rooms[region]!;
    if (size > room) this.#grow(region, Math.ceil(Math.max(size - room, room) / 64) * 64);
  }

  /** Makes sure that the first `count` values of the registers region exist. */
  reserveRegisters(count: number): void {
    if (count <= this.#registerCount) return;
    this.reserve(Region.registers, count * Value.bytes);
    const { view } = this;
    let at = this.#starts[Region.registers]! + this.#registerCount * Value.bytes;
    for (let number = this.#registerCount; number < count; number++, at += Value.bytes) {
      const digit = number % 10;
      if (digit === 0) {
        setText(view, at, `%ast${number}, `);
      } else {
        // The same as the one before, except for the last digit.
        copyValue(view, at, at - Value.bytes);
        view.setUint8(at + view.getUint8(at + Value.lengthAt) - LAST_DIGIT, ZERO + digit);
      }
    }
    this.#registerCount = count;
  }

  /** Writes words at an address, little-endian. */
  setWords(address: number, words: Uint32Array): void {
    if (LITTLE_ENDIAN) {
      this.#words.set(words, address / 4);
      return;
    }
    words.forEach((word, index) => {
      this.view.setUint32(address + 4 * index, word, true);
    });
  }

  #grow(region: Region, more: number): void {
    const behind = this.#starts[region]! + this.#rooms[region]!;
    const end = this.#end;
    this.#end += more;
    try {
      this.#extend();
    } catch (error) {
      this.#end = end;
      if (!(error instanceof RangeError)) throw error;
      throw new AstPtxError("INSUFFICIENT_BUFFER", `expected memory for ${end + more} bytes, found less`);
    }
    this.bytes.copyWithin(behind + more, behind, end);
    this.#rooms[region]! += more;
    for (let next = region + 1; next < this.#starts.length; next++) this.#starts[next]! += more;
    this.#writeStarts();
  }

  /** Makes the buffer as long as the regions. */
  #extend(): void {
    if (this.#end > MOST_BYTES) throw new RangeError("too long");
    const length = this.bytes?.length ?? 0;
    if (this.#end <= length) return;
    const pages = Math.ceil(this.#end / PAGE);
    if (this.#memory !== undefined) {
      const grown = pages - this.#memory.buffer.byteLength / PAGE;
      if (grown > 0) this.#memory.grow(grown);
    }
    const bytes = new Uint8Array(this.#memory?.buffer ?? new ArrayBuffer(pages * PAGE));
    if (this.#memory === undefined && length > 0) bytes.set(this.bytes);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.#words = new Uint32Array(bytes.buffer);
  }

  #writeStarts(): void {
    this.#starts.forEach((start, region) => {
      this.view.setUint32(Control.regions + 4 * region, start, true);
    });
  }
}
