// A growing buffer for the bytes of a WebAssembly module, with the variable-length integers of the format (WebAssembly
// core specification, Binary Format).

const SLAB_BYTES = 2 ** 16;

/**
 * Buffers share slabs: a module has hundreds of writers for a few bytes each, and an `ArrayBuffer` for each of them took
 * longer than everything else about the translation of a small kernel.
 */
let slab = new Uint8Array(SLAB_BYTES);
let taken = 0;

/** A buffer that nothing else uses. Its contents are 0. */
function bufferOf(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes > SLAB_BYTES / 4) return new Uint8Array(bytes);
  if (taken + bytes > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    taken = 0;
  }
  taken += bytes;
  return slab.subarray(taken - bytes, taken);
}

/** A byte buffer that grows at its end. */
export class ByteWriter {
  #bytes = bufferOf(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far; valid until the next write. Their `ArrayBuffer` may contain others. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes an unsigned integer below 2^32 in LEB128. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Writes a signed 32-bit integer in LEB128. */
  signed(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest > 0x3f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  /** Writes a signed 64-bit integer in LEB128. */
  signed64(value: bigint): void {
    const small = Number(value);
    if (Math.abs(small) < 2 ** 30) {
      this.signed(small);
      return;
    }
    let rest = BigInt.asIntN(64, value);
    while (rest < -0x40n || rest > 0x3fn) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest & 0x7fn));
  }

  /** Writes a 32-bit word in little-endian order. */
  word(value: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow(4);
    const bytes = this.#bytes;
    bytes[this.#length++] = value;
    bytes[this.#length++] = value >>> 8;
    bytes[this.#length++] = value >>> 16;
    bytes[this.#length++] = value >>> 24;
  }

  /** Writes a 64-bit word in little-endian order. */
  doubleWord(value: bigint): void {
    this.word(Number(value & 0xffffffffn));
    this.word(Number((value >> 32n) & 0xffffffffn));
  }

  append(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes bytes preceded by their number. */
  sized(bytes: ArrayLike<number>): void {
    this.unsigned(bytes.length);
    this.append(bytes);
  }

  /** Writes a name, which is ASCII in all our modules, preceded by its length. */
  name(text: string): void {
    this.unsigned(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  #grow(by: number): void {
    const grown = bufferOf(Math.max(this.#bytes.length * 2, this.#length + by));
    grown.set(this.bytes());
    this.#bytes = grown;
  }
}
