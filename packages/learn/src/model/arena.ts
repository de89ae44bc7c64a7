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

/** The offsets of parts in the order in which they were made, which is that of the parameters of `place` in a WebAssembly module. */
export const placesOf = (places: object): number[] => Object.values(places);

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

  /** @param within memory in which the block is, for models in native code */
  constructor(
    bytes: number,
    webAssembly: boolean,
    within?: { readonly buffer: ArrayBuffer; readonly offset: number },
  ) {
    this.memory =
      typeof MM_PTX_WEBASSEMBLY_ONLY !== "undefined" || webAssembly
        ? new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
        : undefined;
    let buffer = this.memory?.buffer as ArrayBuffer;
    let offset = 0;
    const size = buffer?.byteLength ?? bytes;
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined") {
      buffer ??= within?.buffer ?? new ArrayBuffer(bytes);
      offset = within?.offset ?? 0;
    }
    this.f32 = new Float32Array(buffer, offset, size >> 2);
    this.f64 = new Float64Array(buffer, offset, size >> 3);
    this.i32 = new Int32Array(buffer, offset, size >> 2);
    this.u32 = new Uint32Array(buffer, offset, size >> 2);
    this.i16 = new Int16Array(buffer, offset, size >> 1);
    this.u8 = new Uint8Array(buffer, offset, size);
  }

  /** The bytes of the memory in which the block is. */
  get bytes(): number {
    return this.u8.buffer.byteLength;
  }
}
