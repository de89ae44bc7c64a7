// Code that reads the record of a texture or surface object. It branches away on anything unusual, so that the
// procedure of the instruction handles it or reports what is wrong.
import { CHECKED_BYTES, IMAGE_FLAGS, IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { ADDRESS_UPPER } from "../../run/memory.js";
import type { Code, Label } from "../binary/code.js";
import { type Bytes, leaveBeyondPage } from "../page-bounds.js";

/** The geometries of instructions. */
export const GEOMETRIES: Readonly<Record<string, Geometry>> = {
  "1d": { dimensions: 1, isLayered: false, isCube: false },
  "2d": { dimensions: 2, isLayered: false, isCube: false },
  "3d": { dimensions: 3, isLayered: false, isCube: false },
  a1d: { dimensions: 1, isLayered: true, isCube: false },
  a2d: { dimensions: 2, isLayered: true, isCube: false },
  cube: { dimensions: 2, isLayered: false, isCube: true },
  acube: { dimensions: 2, isLayered: true, isCube: true },
};

export interface Geometry {
  /** The number of coordinates within a layer, a face or a volume. */
  readonly dimensions: 1 | 2 | 3;
  readonly isLayered: boolean;
  readonly isCube: boolean;
}

/** The number of coordinates that an instruction takes, including the layer. */
export const coordinatesOf = ({ dimensions, isLayered, isCube }: Geometry): number =>
  dimensions + Number(isLayered) + Number(isCube);

const GEOMETRY_FLAGS = IMAGE_FLAGS.layered | IMAGE_FLAGS.cube;

/** The offsets of the sizes along each axis. */
const SIZES = [IMAGE_LAYOUT.width, IMAGE_LAYOUT.height, IMAGE_LAYOUT.depth] as const;

/** The fields of a record whose handle is a local of a function. */
export class RecordCode {
  readonly code: Code;
  /** The local that holds where the record is. */
  readonly record: number;
  readonly #pageTable: number;
  readonly #fields = new Map<number, number>();

  constructor(code: Code, pageTable: number) {
    this.code = code;
    this.record = code.local("i32");
    this.#pageTable = pageTable;
  }

  /** Branches away unless a handle is that of an object with a mark and a geometry. */
  open(handle: number, mark: number, { dimensions, isLayered, isCube }: Geometry, away: Label): void {
    const { code, record } = this;
    code.get(handle).op("i32.wrap_i64").set(record);
    code.get(handle).i64(32n).op("i64.shr_u").i64(BigInt(ADDRESS_UPPER)).op("i64.ne").brIf(away);
    this.leaveUnlessAllocated(record, CHECKED_BYTES, away);
    this.load(IMAGE_LAYOUT.mark).i32(mark).op("i32.ne").brIf(away);
    this.load(IMAGE_LAYOUT.dimensions).i32(dimensions).op("i32.ne").brIf(away);
    const flags = (isLayered ? IMAGE_FLAGS.layered : 0) | (isCube ? IMAGE_FLAGS.cube : 0);
    this.field(IMAGE_LAYOUT.flags).i32(GEOMETRY_FLAGS).op("i32.and").i32(flags).op("i32.ne").brIf(away);
  }

  /** Branches away unless bytes, whose number is a power of two, are aligned and allocated. */
  leaveUnlessAllocated(place: number, bytes: Bytes, away: Label): void {
    const { code } = this;
    code.get(place);
    if (typeof bytes === "number") code.i32(bytes - 1);
    else code.get(bytes.local).i32(1).op("i32.sub");
    code.op("i32.and").brIf(away);
    leaveBeyondPage(code, place, 0, bytes, this.#pageTable, away);
  }

  /** Pushes a field. */
  load(offset: number): Code {
    return this.code.get(this.record).memory("i32.load", offset);
  }

  /** Pushes a field that is kept in a local. The first read has to dominate all others. */
  field(offset: number): Code {
    const local = this.#fields.get(offset);
    if (local !== undefined) return this.code.get(local);
    const added = this.code.local("i32");
    this.#fields.set(offset, added);
    return this.load(offset).tee(added);
  }

  /** Reads fields into locals. */
  keep(offsets: readonly number[]): void {
    for (const offset of offsets) this.field(offset).op("drop");
  }

  /** Pushes the size along an axis. */
  size(axis: number): Code {
    return this.field(SIZES[axis]!);
  }

  /** Keeps the sizes along the axes of a geometry, and the number of layers. */
  keepSizes({ dimensions, isLayered }: Geometry): void {
    this.keep([...SIZES.slice(0, dimensions), ...(isLayered ? [IMAGE_LAYOUT.depth] : [])]);
  }

  /**
   * Pushes where bytes are, from their place in a row, their row and their slice or layer: the last two are locals, if
   * there are any. Inside of an image, which is in linear memory, nothing overflows.
   */
  place(pushFirst: () => void, row: number | undefined, slice: number | undefined): Code {
    const { code } = this;
    pushFirst();
    this.load(IMAGE_LAYOUT.address).op("i32.add");
    if (row !== undefined) {
      code.get(row);
      this.load(IMAGE_LAYOUT.pitch).op("i32.mul").op("i32.add");
    }
    if (slice !== undefined) {
      code.get(slice);
      this.load(IMAGE_LAYOUT.slice).op("i32.mul").op("i32.add");
    }
    return code;
  }
}
