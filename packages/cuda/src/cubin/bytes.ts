// Little-endian numbers and strings of a file. Each read is confined to the part that it belongs to: corrupt bytes
// can't cause a read outside of it. The file also bounds what can be built from bytes that several descriptions share.

import { CubinError } from "./error.js";

/** The error for corrupt bytes. */
export function invalid(expected: string, found: string, offset?: number): CubinError {
  return new CubinError("INVALID_CUBIN", `expected ${expected}, found ${found}`, { offset });
}

/**
 * How many times the size of the file its names, paths, views and call sites may have together. Files of compilers stay
 * below one.
 */
const SHARED_PER_BYTE = 32;

/** A file, and how much may still be built from bytes that are described more than once. */
interface File {
  readonly array: Uint8Array;
  readonly view: DataView;
  left: number;
}

/** A part of a file. */
export class Bytes {
  /** The part's offset in the file. */
  readonly start: number;
  readonly length: number;
  /** The name of the part in messages. */
  readonly what: string;
  /** Shared by the many parts of a file. */
  readonly #file: File;

  private constructor(file: File, start: number, length: number, what: string) {
    this.#file = file;
    this.start = start;
    this.length = length;
    this.what = what;
  }

  /** A whole file. */
  static of(array: Uint8Array): Bytes {
    const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
    return new Bytes({ array, view, left: SHARED_PER_BYTE * array.length }, 0, array.length, "the file");
  }

  /** A view of the file. */
  get array(): Uint8Array {
    return this.#file.array.subarray(this.start, this.start + this.length);
  }

  u8(at: number): number {
    return this.#file.view.getUint8(this.#inside(at, 1));
  }

  u16(at: number): number {
    return this.#file.view.getUint16(this.#inside(at, 2), true);
  }

  u32(at: number): number {
    return this.#file.view.getUint32(this.#inside(at, 4), true);
  }

  /** A number that is not exact as a double exceeds any file's size, and is only compared with that. */
  u64(at: number): number {
    const low = this.#inside(at, 8);
    return this.#file.view.getUint32(low, true) + this.#file.view.getUint32(low + 4, true) * 2 ** 32;
  }

  /** @throws CubinError `INVALID_CUBIN` if the part does not lie within this one */
  part(at: number, size: number, what: string): Bytes {
    if (at + size > this.length) {
      const found = `its end at ${at + size} of ${this.length} bytes`;
      throw invalid(`${what} inside of ${this.what}`, found, this.start);
    }
    return new Bytes(this.#file, this.start + at, size, what);
  }

  /**
   * Accounts for a result whose size is not limited by bytes of its own, such as a name that many symbols share. Without
   * that, a small file could describe a result of any size.
   *
   * @param place the offset in this part of what describes the result
   * @throws CubinError `INVALID_CUBIN` if all such results together are much larger than the file
   */
  account(size: number, what: string, place: number): void {
    this.#file.left -= size;
    if (this.#file.left >= 0) return;
    const most = `names and contents of at most ${SHARED_PER_BYTE} times the file's size in total`;
    throw invalid(most, `more with ${what}`, this.start + place);
  }

  #inside(at: number, size: number): number {
    if (at + size <= this.length) return this.start + at;
    const found = `its end at ${this.length}`;
    throw invalid(`${size} bytes at ${at} of ${this.what}`, found, this.start + this.length);
  }
}

/** Reads values sequentially. */
export class Cursor {
  at: number;
  readonly bytes: Bytes;

  constructor(bytes: Bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  u8(): number {
    return this.bytes.u8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.bytes.u16(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.bytes.u32(this.at - 4);
  }

  u64(): number {
    this.at += 8;
    return this.bytes.u64(this.at - 8);
  }

  /** A number of 7 bits per byte; bits beyond 32 are dropped. */
  uleb(): number {
    return this.#leb().value >>> 0;
  }

  sleb(): number {
    const { value, bits, last } = this.#leb();
    return bits < 32 && (last & 0x40) !== 0 ? value | (-1 << bits) : value | 0;
  }

  /** Reads up to the next NUL, and skips it. */
  text(): string {
    const { array } = this.bytes;
    const end = array.indexOf(0, this.at);
    if (end === -1) {
      throw invalid("a NUL-terminated string", `the end of ${this.bytes.what}`, this.bytes.start + this.at);
    }
    const text = latin1(array.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }

  #leb(): { value: number; bits: number; last: number } {
    let value = 0;
    let bits = 0;
    for (;;) {
      const byte = this.u8();
      if (bits < 32) value |= (byte & 0x7f) << bits;
      bits += 7;
      if ((byte & 0x80) === 0) return { value, bits, last: byte };
    }
  }
}

/** Decodes every byte as a character: compilers write ASCII, and different corrupt bytes remain different. */
export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}
