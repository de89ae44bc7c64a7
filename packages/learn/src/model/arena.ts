// The memory of a model: one block, whose parts are known when the model is made. Kernels get the offsets of the parts.

const ALIGNMENT = 64;
const PAGE = 65536;

/** Adds up the parts of a block. Each begins at a multiple of 64 bytes. */
export class Parts {
  /** The bytes of all parts so far. */
  bytes = 0;

  /** The offset of a new part. */
  add(bytes: number): number {
    const offset = this.bytes;
    this.bytes += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return offset;
  }

  /** Replaces sizes of new parts, in bytes, by their offsets. */
  place<Name extends string>(sizes: Record<Name, number>): Record<Name, number> {
    for (const name in sizes) sizes[name] = this.add(sizes[name]);
    return sizes;
  }
}

interface TypedArray<View> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset?: number, length?: number): View;
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
    let view = <View>(Type: TypedArray<View>): View => new Type(this.memory!.buffer);
    if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && this.memory === undefined) {
      const { buffer, offset } = within ?? { buffer: new ArrayBuffer(bytes), offset: 0 };
      view = (Type) => new Type(buffer, offset, Math.floor(bytes / Type.BYTES_PER_ELEMENT));
    }
    this.f32 = view(Float32Array);
    this.f64 = view(Float64Array);
    this.i32 = view(Int32Array);
    this.u32 = view(Uint32Array);
    this.i16 = view(Int16Array);
    this.u8 = view(Uint8Array);
  }

  /** The bytes of the memory in which the block is. */
  get bytes(): number {
    return this.u8.buffer.byteLength;
  }
}

/** The values of a part, given its offset. */
export const floatsAt = ({ f32 }: Arena, place: number, count: number): Float32Array =>
  f32.subarray(place >> 2, (place >> 2) + count);
export const doublesAt = ({ f64 }: Arena, place: number, count: number): Float64Array =>
  f64.subarray(place >> 3, (place >> 3) + count);
export const wordsAt = ({ u32 }: Arena, place: number, count: number): Uint32Array =>
  u32.subarray(place >> 2, (place >> 2) + count);
