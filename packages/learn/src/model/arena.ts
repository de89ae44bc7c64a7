// The memory of a model: one block, whose parts are known when the model is made. Kernels get the offsets of the parts.

const ALIGNMENT = 64;
const PAGE = 65536;

/** Adds up the parts of a block. Each begins at a multiple of 64 bytes. */
export class Parts {
  #bytes = 0;

  /** The bytes of all parts so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The offset of a new part. */
  add(count: number, bytesPerElement: number): number {
    const offset = this.#bytes;
    this.#bytes += Math.ceil((count * bytesPerElement) / ALIGNMENT) * ALIGNMENT;
    return offset;
  }
}

/** A block of memory with a view for each type of element; all views span the whole block. */
export class Arena {
  /** The memory that a WebAssembly module imports; without WebAssembly there is no such memory. */
  readonly memory: { readonly buffer: ArrayBuffer } | undefined;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i16: Int16Array;
  readonly u8: Uint8Array;

  constructor(bytes: number, webAssembly: boolean) {
    this.memory = webAssembly ? new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) }) : undefined;
    const buffer = this.memory?.buffer ?? new ArrayBuffer(bytes);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }

  /** The bytes that the block takes. */
  get bytes(): number {
    return this.u8.byteLength;
  }
}
