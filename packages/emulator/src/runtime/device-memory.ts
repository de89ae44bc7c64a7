// Copies between the device's memory and the memory of a program, and fills.
import { ADDRESS_BASE, PAGE_BYTES } from "../run/memory.js";
import type { PagedMemory } from "../run/paged-memory.js";
import { CudaError, INVALID_VALUE } from "./cuda-errors.js";
import type { ProcessMemory } from "./process-memory.js";
import type { Fields } from "./wire.js";

/** Where one side of a copy begins, and the distances of its rows and slices. */
interface Side {
  readonly address: number;
  readonly inProgram: boolean;
  readonly pitch: number;
  readonly slice: number;
}

interface Extent {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export class DeviceMemory {
  readonly #memory: PagedMemory;
  /** Undefined if the program's memory can't be accessed: its bytes are sent instead. */
  readonly program: ProcessMemory | undefined;

  constructor(memory: PagedMemory, program: ProcessMemory | undefined) {
    this.#memory = memory;
    this.program = program;
  }

  /** A view of device memory. @throws CudaError if a byte of it is not allocated */
  view(address: number, bytes: number): Uint8Array {
    const offset = address - ADDRESS_BASE;
    if (bytes === 0) return new Uint8Array();
    if (!Number.isSafeInteger(offset) || offset < 0 || offset + bytes > this.#memory.memory.buffer.byteLength)
      throw this.#notAllocated(address, bytes);
    const table = new Uint16Array(this.#memory.memory.buffer, this.#memory.pageTable);
    const last = Math.floor((offset + bytes - 1) / PAGE_BYTES);
    for (let page = Math.floor(offset / PAGE_BYTES); page < last; page++)
      if (table[page] !== PAGE_BYTES) throw this.#notAllocated(address, bytes);
    if (((offset + bytes - 1) % PAGE_BYTES) + 1 > table[last]!) throw this.#notAllocated(address, bytes);
    return this.#memory.bytes(offset, bytes);
  }

  #notAllocated(address: number, bytes: number): CudaError {
    const offset = address - ADDRESS_BASE;
    const freed = this.#memory.freedAt(offset);
    const near = freed ?? this.#memory.nearest(offset);
    const place =
      near === undefined
        ? ""
        : `; ${near.label} has ${bytesOf(near.bytes)} at 0x${(ADDRESS_BASE + near.offset).toString(16)}${freed ? " and has been freed" : ""}`;
    return new CudaError(
      INVALID_VALUE,
      `expected a copy or fill of allocated memory, found ${bytesOf(bytes)} at 0x${address.toString(16)}${place}`,
    );
  }

  /** Copies rows. @throws CudaError if memory is not allocated */
  copy(fields: Fields): void {
    const [target, source] = [fields.u64(), fields.u64()];
    const [targetInProgram, sourceInProgram] = [fields.u32() === 1, fields.u32() === 1];
    const extent = { width: fields.u64(), height: fields.u64(), depth: fields.u64() };
    const [targetPitch, sourcePitch] = [fields.u64(), fields.u64()];
    const [targetSlice, sourceSlice] = [fields.u64(), fields.u64()];
    const to = { address: target, inProgram: targetInProgram, pitch: targetPitch, slice: targetSlice };
    const from = { address: source, inProgram: sourceInProgram, pitch: sourcePitch, slice: sourceSlice };
    const isPlain = [to, from].every((side) => isContiguous(side, extent));
    if (isPlain) this.#row(to, from, target, source, extent.width * extent.height * extent.depth);
    else {
      // Nothing is written if a row of either side isn't allocated.
      for (const side of [to, from]) if (!side.inProgram) this.view(side.address, spanOf(side, extent));
      for (const [z, y] of rowsOf(extent)) {
        const at = (side: Side) => side.address + z * side.slice + y * side.pitch;
        this.#row(to, from, at(to), at(from), extent.width);
      }
    }
  }

  /** Fills rows with a value of 1, 2 or 4 bytes. @throws CudaError if memory is not allocated */
  fill(fields: Fields): void {
    const [target, value, valueBytes] = [fields.u64(), fields.u32(), fields.u32()];
    const extent = { width: fields.u64(), height: fields.u64(), depth: fields.u64() };
    const [pitch, slice] = [fields.u64(), fields.u64()];
    const side = { address: target, inProgram: false, pitch, slice };
    const fill = (address: number, bytes: number) => fillBytes(this.view(address, bytes), value, valueBytes);
    if (isContiguous(side, extent)) fill(target, extent.width * extent.height * extent.depth);
    else {
      this.view(target, spanOf(side, extent));
      for (const [z, y] of rowsOf(extent)) fill(target + z * slice + y * pitch, extent.width);
    }
  }

  #row(to: Side, from: Side, target: number, source: number, bytes: number): void {
    if (to.inProgram) this.#programMemory().write(target, this.view(source, bytes));
    else if (from.inProgram) this.#programMemory().read(source, this.view(target, bytes));
    else this.view(target, bytes).set(this.view(source, bytes));
  }

  #programMemory(): ProcessMemory {
    if (this.program === undefined) throw new CudaError(INVALID_VALUE);
    return this.program;
  }
}

const bytesOf = (count: number) => `${count} byte${count === 1 ? "" : "s"}`;

const isContiguous = ({ pitch, slice }: Side, { width, height, depth }: Extent): boolean =>
  (height === 1 || pitch === width) && (depth === 1 || slice === width * height);

/** The bytes from the first to the last of rows. */
const spanOf = ({ pitch, slice }: Side, { width, height, depth }: Extent): number =>
  Math.max(0, (depth - 1) * slice + (height - 1) * pitch + width);

function* rowsOf({ height, depth }: Extent): Generator<readonly [z: number, y: number]> {
  for (let z = 0; z < depth; z++) for (let y = 0; y < height; y++) yield [z, y];
}

function fillBytes(bytes: Uint8Array, value: number, valueBytes: number): void {
  for (let byte = 0; byte < valueBytes; byte++) {
    const part = (value >>> (8 * byte)) & 0xff;
    if (valueBytes === 1) bytes.fill(part);
    else for (let at = byte; at < bytes.length; at += valueBytes) bytes[at] = part;
  }
}
