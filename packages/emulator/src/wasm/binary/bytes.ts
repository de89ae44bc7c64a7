// A growing buffer for the bytes of a WebAssembly module, with the variable-length integers of the format (WebAssembly
// core specification, Binary Format).

/** A byte buffer that grows at its end. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far; valid until the next write. */
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
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by));
    grown.set(this.bytes());
    this.#bytes = grown;
  }
}
