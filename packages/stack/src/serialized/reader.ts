// Reads the raw memory that the serializer of mm-ptx for C writes. Nothing in it is trusted: every read is bounded, and a
// count that cannot fit what is left is rejected before anything is allocated for it.
import { fileError, type StackPtxError } from "../error.js";

/** How a machine writes the numbers whose size is not fixed. */
export interface Abi {
  /** Bytes of a `size_t`. */
  readonly sizeBytes: 4 | 8;
  readonly littleEndian: boolean;
}

/** A `size_t`: a number, or a BigInt where a number would not be exact. */
export type SerializedSize = bigint | number;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class SerializedReader {
  offset = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #abi: Abi;

  constructor(bytes: Uint8Array, abi: Abi) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#abi = abi;
  }

  get sizeBytes(): number {
    return this.#abi.sizeBytes;
  }

  u8(what: string): number {
    return this.#view.getUint8(this.#take(1, what));
  }

  u16(what: string): number {
    return this.#view.getUint16(this.#take(2, what), this.#abi.littleEndian);
  }

  u32(what: string): number {
    return this.#view.getUint32(this.#take(4, what), this.#abi.littleEndian);
  }

  size(what: string): SerializedSize {
    if (this.#abi.sizeBytes === 4) return this.u32(what);
    const value = this.#view.getBigUint64(this.#take(8, what), this.#abi.littleEndian);
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  /** @param bytes the least number of bytes of each item */
  count(what: string, bytes: number): number {
    const start = this.offset;
    const count = this.size(`the number of ${what}`);
    return this.fitting(count, what, bytes, start);
  }

  /** Rejects a count whose items cannot fit what is left. @param start where the count is */
  fitting(count: SerializedSize, what: string, bytes: number, start: number): number {
    const rest = this.#bytes.length - this.offset;
    if (count <= Math.floor(rest / bytes)) return Number(count);
    const room = `${rest} more byte${rest === 1 ? "" : "s"}`;
    throw damaged("FILE_TRUNCATED", `expected ${count} ${what}, found ${room}`, start);
  }

  /** A number of items that all have this many bytes. */
  list<Item>(what: string, bytes: number, item: () => Item): Item[] {
    return Array.from({ length: this.count(what, bytes) }, item);
  }

  /** Bytes up to a NUL, which is read as well. */
  string(what: string): string {
    const start = this.offset;
    const end = this.#bytes.indexOf(0, start);
    if (end === -1) {
      throw damaged(
        "FILE_TRUNCATED",
        `expected ${what} that ends with a NUL, found the end`,
        this.#bytes.length,
      );
    }
    this.offset = end + 1;
    try {
      return UTF8.decode(this.#bytes.subarray(start, end));
    } catch {
      throw damaged("FILE_FORMAT", `expected ${what} in UTF-8, found other bytes`, start);
    }
  }

  /** 8 bytes as hex digits. */
  word(what: string): string {
    const start = this.#take(8, what);
    let hex = "";
    for (const byte of this.#bytes.subarray(start, start + 8)) hex += HEX[byte];
    return hex;
  }

  end(): void {
    const rest = this.#bytes.length - this.offset;
    if (rest > 0) {
      throw damaged(
        "FILE_FORMAT",
        `expected the end, found ${rest} more byte${rest === 1 ? "" : "s"}`,
        this.offset,
      );
    }
  }

  #take(count: number, what: string): number {
    const start = this.offset;
    const end = start + count;
    if (end > this.#bytes.length) {
      throw damaged("FILE_TRUNCATED", `expected ${what}, found the end`, this.#bytes.length);
    }
    this.offset = end;
    return start;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function damaged(
  code: "FILE_FORMAT" | "FILE_TRUNCATED",
  message: string,
  offset: number,
): StackPtxError {
  return fileError(code, message, { offset, program: undefined });
}
