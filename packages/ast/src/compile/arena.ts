// The memory of a compile: one buffer, in which regions lie one behind the other. A region that needs more room pushes
// those behind it on. The buffer is the memory of the WebAssembly loop where there is one; all compilers of a thread
// share it, since a compile runs to its end before another starts.

import { LITTLE_ENDIAN } from "../endian.js";
import { AstPtxError } from "../error.js";
import { Control, Region, Value } from "./addresses.js";
import { copyValue, setText } from "./text.js";

/** How far before the end of `%ast12, ` its last digit stands, and the code of the digit 0. */
const LAST_DIGIT = 3;
const ZERO = 48;

const PAGE = 65536;
/** Room of each region at first. */
const ROOMS = [128, 1024, 1024, 6144, 1024, 1024, 16384, 1024, 16384, 16384, 65536];
/** Addresses stay in 31 bits. */
const MOST_BYTES = 2 ** 31 - PAGE;

export class Arena {
  view!: DataView;
  bytes!: Uint8Array;
  private words!: Uint32Array;
  private readonly starts: number[] = [];
  private readonly rooms = [...ROOMS];
  private end = 0;
  /** Values of the registers region that there are. */
  private registerCount = 0;

  /** @param memory where the regions lie; without it in a buffer of the arena's own */
  constructor(private readonly memory?: WebAssembly.Memory) {
    for (const room of ROOMS) {
      this.starts.push(this.end);
      this.end += room;
    }
    this.extend();
    this.writeStarts();
  }

  /** Bytes in use. */
  get size(): number {
    return this.end;
  }

  /** The address of a region. */
  start(region: Region): number {
    return this.starts[region]!;
  }

  /** Makes room for `size` bytes in a region; regions behind it may move. @throws AstPtxError INSUFFICIENT_BUFFER */
  reserve(region: Region, size: number): void {
    const room = this.rooms[region]!;
    if (size > room) this.grow(region, Math.ceil(Math.max(size - room, room) / 64) * 64);
  }

  /** Sees that the first `count` values of the registers region are there. */
  reserveRegisters(count: number): void {
    if (count <= this.registerCount) return;
    this.reserve(Region.registers, count * Value.bytes);
    const { view } = this;
    let at = this.starts[Region.registers]! + this.registerCount * Value.bytes;
    for (let number = this.registerCount; number < count; number++, at += Value.bytes) {
      const digit = number % 10;
      if (digit === 0) {
        setText(view, at, `%ast${number}, `);
      } else {
        // As the one before, but for the last digit.
        copyValue(view, at, at - Value.bytes);
        view.setUint8(at + view.getUint8(at + Value.lengthAt) - LAST_DIGIT, ZERO + digit);
      }
    }
    this.registerCount = count;
  }

  /** Writes words at an address, little-endian. */
  setWords(address: number, words: Uint32Array): void {
    if (LITTLE_ENDIAN) {
      this.words.set(words, address / 4);
      return;
    }
    words.forEach((word, index) => {
      this.view.setUint32(address + 4 * index, word, true);
    });
  }

  private grow(region: Region, more: number): void {
    const behind = this.starts[region]! + this.rooms[region]!;
    const { end } = this;
    this.end += more;
    try {
      this.extend();
    } catch (error) {
      this.end = end;
      if (!(error instanceof RangeError)) throw error;
      throw new AstPtxError("INSUFFICIENT_BUFFER", `expected memory for ${end + more} bytes, found less`);
    }
    this.bytes.copyWithin(behind + more, behind, end);
    this.rooms[region]! += more;
    for (let next = region + 1; next < this.starts.length; next++) this.starts[next]! += more;
    this.writeStarts();
  }

  /** Makes the buffer as long as the regions. */
  private extend(): void {
    if (this.end > MOST_BYTES) throw new RangeError("too long");
    const length = this.bytes?.length ?? 0;
    if (this.end <= length) return;
    const pages = Math.ceil(this.end / PAGE);
    if (this.memory !== undefined) {
      const grown = pages - this.memory.buffer.byteLength / PAGE;
      if (grown > 0) this.memory.grow(grown);
    }
    const bytes = new Uint8Array(this.memory?.buffer ?? new ArrayBuffer(pages * PAGE));
    if (this.memory === undefined && length > 0) bytes.set(this.bytes);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.words = new Uint32Array(bytes.buffer);
  }

  private writeStarts(): void {
    this.starts.forEach((start, region) => {
      this.view.setUint32(Control.regions + 4 * region, start, true);
    });
  }
}
