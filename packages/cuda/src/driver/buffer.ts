// Buffers: memory of a GPU and the copies to and from it. Parts and views of a buffer share its memory, which is freed
// when the last of them is disposed and the work that uses it is done.

import type {
  CopyOptions,
  DeviceBuffer,
  DeviceStream,
  FillOptions,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { u64 } from "@mm-ptx/types/device";
import { describeValue, OVERLAP_TEXT } from "@mm-ptx/types/internal";
import { checkNames, foreign, invalid, refuse, wholeNumber } from "./check.js";
import { copyIn, copyOut, type HostEnd, hostEnd } from "./copy.js";
import type { CudaDevice } from "./device.js";
import { type Handle, Resource } from "./handle.js";
import { checkNotCaptured, type Queue, use } from "./queue.js";
import type { DeviceState } from "./state.js";
import type { CudaStream } from "./stream.js";

/** Fill operations by the byte size of their pattern. */
const FILLS = { 1: "cuMemsetD8Async", 2: "cuMemsetD16Async", 4: "cuMemsetD32Async" } as const;

/** A buffer's location. */
export interface BufferPlace {
  readonly memory: Handle;
  readonly address: bigint;
  readonly byteLength: number;
}

/** A buffer of a GPU. */
export class CudaBuffer<T extends TypedArray = TypedArray> extends Resource implements DeviceBuffer<T> {
  readonly address: bigint;
  readonly byteLength: number;
  readonly #state: DeviceState;
  readonly #memory: Handle;
  readonly #elements: TypedArrayClass<T>;
  /** The address as it is passed to kernels. */
  readonly #addressBytes: Uint8Array;
  /** The owner that this is a part of, such as the module of a variable. */
  readonly #parent: { readonly disposed: boolean };

  /** @internal */
  constructor(
    state: DeviceState,
    place: BufferPlace,
    elements: TypedArrayClass<T>,
    parent: { readonly disposed: boolean } = state.device,
  ) {
    const { memory } = place;
    super("buffer", memory);
    memory.enter();
    this.#state = state;
    this.#memory = memory;
    this.#elements = elements;
    this.#parent = parent;
    this.address = place.address;
    this.byteLength = place.byteLength;
    this.#addressBytes = u64(place.address).bytes;
  }

  /** The device that it belongs to. */
  get device(): CudaDevice {
    return this.#state.device;
  }

  get length(): number {
    return Math.floor(this.byteLength / this.#elements.BYTES_PER_ELEMENT);
  }

  /** Whether the buffer or its device has been disposed. */
  override get disposed(): boolean {
    return super.disposed || this.#parent.disposed;
  }

  /** @internal */
  get memory(): Handle {
    return this.#memory;
  }

  /** @internal @throws CudaError DISPOSED, DEVICE_LOST */
  get addressBytes(): Uint8Array {
    this.check();
    return this.#addressBytes;
  }

  /**
   * Returns a copy of all its elements.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST, or an earlier failure on the stream
   */
  async read(options: { readonly stream?: DeviceStream } = {}): Promise<T> {
    checkNames(options, ["stream"]);
    const { stream } = options;
    const copy = this.#newElements();
    await this.#copyOut(bytesOf(copy), 0, stream);
    return copy;
  }

  /** Like `read`, but blocks the event loop until the stream's work is done. @throws CudaError */
  readSync(options: { readonly stream?: DeviceStream } = {}): T {
    checkNames(options, ["stream"]);
    const { stream } = options;
    const copy = this.#newElements();
    this.#copyOutSync(bytesOf(copy), 0, stream);
    return copy;
  }

  /**
   * Fills the target from byte `offset` on. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
   */
  async copyTo(
    target: ArrayBufferView | ArrayBuffer | DeviceBuffer,
    options: CopyOptions = {},
  ): Promise<void> {
    const { offset, other, stream } = this.#checkCopy("target", target, options);
    if (other instanceof CudaBuffer) await other.#copyDevice(0, this, offset, other.byteLength, stream);
    else await this.#copyOut(other.bytes, offset, stream, other);
  }

  /** Like `copyTo` for host memory, but blocks the event loop. @throws CudaError */
  copyToSync(target: ArrayBufferView | ArrayBuffer, options: CopyOptions = {}): void {
    const { offset, other, stream } = this.#checkCopy("target", target, options);
    if (other instanceof CudaBuffer) throw invalid("host memory as target", target);
    this.#copyOutSync(other.bytes, offset, stream);
  }

  /**
   * Copies all of the source to byte `offset`. @throws CudaError INVALID_ARGUMENT, OUT_OF_MEMORY, DISPOSED, DEVICE_LOST
   */
  async copyFrom(
    source: ArrayBufferView | ArrayBuffer | DeviceBuffer,
    options: CopyOptions = {},
  ): Promise<void> {
    const { offset, other, stream } = this.#checkCopy("source", source, options);
    if (other instanceof CudaBuffer) await this.#copyDevice(offset, other, 0, other.byteLength, stream);
    else await copyIn(this.#place(offset), other, this.#state.streamOf(stream));
  }

  /** Like `copyFrom` for host memory, but blocks the event loop. @throws CudaError */
  copyFromSync(source: ArrayBufferView | ArrayBuffer, options: CopyOptions = {}): void {
    const { offset, other, stream } = this.#checkCopy("source", source, options);
    if (other instanceof CudaBuffer) throw invalid("host memory as source", source);
    const { queue } = this.#state.streamOf(stream);
    checkNotCaptured(queue);
    if (other.bytes.length > 0) {
      queue.connection.call("copyIn", [this.address + BigInt(offset), queue.handle], {
        payload: other.bytes,
        queue,
      });
    }
    queue.throwFailure();
  }

  /**
   * Copies all of another GPU's buffer to byte `offset`, with peer access where it is enabled. The other device's work
   * on its buffer must be done before.
   * @throws CudaError INVALID_ARGUMENT, DISPOSED, DEVICE_LOST
   */
  async copyFromPeer(source: CudaBuffer, options: CopyOptions = {}): Promise<void> {
    checkNames(options, ["offset", "stream"]);
    if (!(source instanceof CudaBuffer)) throw invalid("a buffer of another GPU", source);
    const { offset: asked, stream } = options;
    this.check();
    source.check();
    if (source.device === this.device || source.device.isolated || this.device.isolated)
      throw invalid("a buffer of another GPU, both of this process", source);
    const offset = this.#checkRange("source", source.byteLength, asked);
    const [to, from] = [this.device.context, source.device.context];
    await this.#queued(
      "cuMemcpyPeerAsync",
      (queue) => [this.address + BigInt(offset), to, source.address, from, source.byteLength, queue.handle],
      this.#state.streamOf(stream),
      [source],
    );
  }

  /**
   * Fills the buffer with a repeated pattern of 1, 2 or 4 bytes. @throws CudaError INVALID_ARGUMENT, DISPOSED,
   * DEVICE_LOST
   */
  async fill(pattern: number, options: FillOptions = {}): Promise<void> {
    checkNames(options, ["offset", "byteLength", "width", "stream"]);
    const { offset = 0, width = 1, byteLength, stream: named } = options;
    this.check();
    wholeNumber("offset", offset, 0, this.byteLength);
    if (width !== 1 && width !== 2 && width !== 4) throw invalid("`width` as 1, 2 or 4", width);
    wholeNumber("pattern", pattern, 0, 2 ** (8 * width) - 1);
    const most = this.byteLength - offset;
    const bytes = wholeNumber("byteLength", byteLength ?? most, 0, most);
    if (bytes % width !== 0) throw invalid(`\`byteLength\` as a multiple of ${width}`, bytes);
    const address = this.address + BigInt(offset);
    if (address % BigInt(width) !== 0n)
      throw refuse(`expected an address that is a multiple of ${width} to fill, found ${address}`);
    const stream = this.#state.streamOf(named);
    if (bytes === 0) return;
    await this.#queued(FILLS[width], (queue) => [address, pattern, bytes / width, queue.handle], stream, []);
  }

  /** A part of the buffer; offset and length are in bytes. @throws CudaError INVALID_ARGUMENT, DISPOSED */
  part(byteOffset: number, byteLength: number = this.byteLength - byteOffset): CudaBuffer<T> {
    this.check();
    wholeNumber("byteOffset", byteOffset, 0, this.byteLength);
    wholeNumber("byteLength", byteLength, 0, this.byteLength - byteOffset);
    const place = { memory: this.#memory, address: this.address + BigInt(byteOffset), byteLength };
    return new CudaBuffer(this.#state, place, this.#elements, this.#parent);
  }

  /** The same memory, interpreted as elements of another type. @throws CudaError INVALID_ARGUMENT, DISPOSED */
  as<Other extends TypedArray>(elements: TypedArrayClass<Other>): CudaBuffer<Other> {
    this.check();
    if (typeof elements !== "function" || !(elements.BYTES_PER_ELEMENT >= 1))
      throw invalid("the class of a typed array", elements);
    const { address, byteLength } = this;
    return new CudaBuffer(this.#state, { memory: this.#memory, address, byteLength }, elements, this.#parent);
  }

  /** @internal */
  useOn(queue: Queue): void {
    this.#memory.useOn(queue);
  }

  /** @internal @throws CudaError DISPOSED, DEVICE_LOST */
  check(): void {
    this.checkOpen();
    this.#memory.connection.check();
  }

  #place(offset: number) {
    return { buffer: this, address: this.address + BigInt(offset) };
  }

  #newElements(): T {
    this.check();
    try {
      return new this.#elements(this.length);
    } catch (cause) {
      throw refuse(`expected a buffer that an array can hold, found ${this.byteLength} bytes`, cause);
    }
  }

  async #copyOut(
    target: Uint8Array,
    offset: number,
    stream: DeviceStream | undefined,
    host: HostEnd = { bytes: target, pinned: undefined, still: () => target },
  ): Promise<void> {
    await copyOut(this.#place(offset), host, this.#state.streamOf(stream));
  }

  #copyOutSync(target: Uint8Array, offset: number, named: DeviceStream | undefined): void {
    const stream = this.#state.streamOf(named);
    const { queue } = stream;
    checkNotCaptured(queue);
    const until = queue.last;
    if (target.length > 0) {
      const { payload } = queue.connection.call(
        "copyOut",
        [this.address + BigInt(offset), target.length, queue.handle],
        { queue },
      );
      target.set(payload!);
      queue.reached(until);
    }
    queue.throwFailure();
  }

  async #copyDevice(
    offset: number,
    source: CudaBuffer,
    from: number,
    bytes: number,
    named: DeviceStream | undefined,
  ): Promise<void> {
    const stream = this.#state.streamOf(named);
    if (bytes === 0) return;
    const distance = this.address + BigInt(offset) - (source.address + BigInt(from));
    if (distance < bytes && -distance < bytes) throw refuse(OVERLAP_TEXT);
    await this.#queued(
      "cuMemcpyDtoDAsync",
      (queue) => [this.address + BigInt(offset), source.address + BigInt(from), bytes, queue.handle],
      stream,
      [source],
    );
  }

  /** Queues an operation that uses no host memory, and waits for it unless the stream is being captured. */
  async #queued(
    operation: string,
    slots: (queue: Queue) => readonly (bigint | number)[],
    stream: CudaStream,
    others: readonly CudaBuffer[],
  ): Promise<void> {
    const { queue } = stream;
    queue.connection.post(operation, slots(queue), queue.begin());
    for (const buffer of [this, ...others]) use(buffer, queue);
    if (queue.capture !== undefined) return;
    await queue.passed();
    queue.throwFailure();
  }

  /** Reads the options first, because that can run any code of the caller. */
  #checkCopy(what: string, value: unknown, options: CopyOptions) {
    checkNames(options, ["offset", "stream"]);
    const { offset, stream } = options;
    this.check();
    const other = this.#otherEnd(what, value);
    const length = other instanceof CudaBuffer ? other.byteLength : other.bytes.length;
    return { offset: this.#checkRange(what, length, offset), other, stream };
  }

  #checkRange(what: string, length: number, asked: number | undefined): number {
    const offset = wholeNumber("offset", asked ?? 0, 0, this.byteLength);
    if (length <= this.byteLength - offset) return offset;
    const here = `${this.byteLength} bytes${offset === 0 ? "" : ` from byte ${offset} on`}`;
    throw refuse(`expected a ${what} that fits a buffer of ${here}, found one of ${length} bytes`);
  }

  #otherEnd(what: string, value: unknown): CudaBuffer | HostEnd {
    if (value instanceof CudaBuffer) {
      if (value.device !== this.device) throw foreign("buffer");
      value.check();
      return value;
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return hostEnd(what, value, this.device);
    throw refuse(
      `expected a typed array, an ArrayBuffer or a buffer as ${what}, found ${describeValue(value)}`,
    );
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
