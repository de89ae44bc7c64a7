// Bytes of a WebAssembly module as they are written: growing, with the variable-length integers of the format (WebAssembly
// core specification, Binary Format).

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written; valid until more is. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** An unsigned integer below 2^32, in LEB128. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A signed integer of 32 bits, in LEB128. */
  signed(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest > 0x3f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  /** A signed integer of 64 bits, in LEB128. */
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

  /** A word of 32 bits, its lowest byte first. */
  word(value: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow(4);
    const bytes = this.#bytes;
    bytes[this.#length++] = value;
    bytes[this.#length++] = value >>> 8;
    bytes[this.#length++] = value >>> 16;
    bytes[this.#length++] = value >>> 24;
  }

  /** A double word. */
  doubleWord(value: bigint): void {
    this.word(Number(value & 0xffffffffn));
    this.word(Number((value >> 32n) & 0xffffffffn));
  }

  append(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes with their number before them. */
  sized(bytes: ArrayLike<number>): void {
    this.unsigned(bytes.length);
    this.append(bytes);
  }

  name(text: string): void {
    this.sized(new TextEncoder().encode(text));
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by));
    grown.set(this.bytes());
    this.#bytes = grown;
  }
}
