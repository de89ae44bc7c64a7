// Device buffers and copies to and from them. Slices and views of a buffer share its memory, which is freed once all of
// them are disposed and the work that was queued before has finished.
import type {
  CopyOptions,
  DeviceBuffer,
  DeviceStream,
  FillOptions,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { describeValue, OVERLAP_TEXT } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import { ADDRESS_BASE } from "../run/memory.js";
import { checkNames, checkOpen, foreign, invalid, wholeNumber } from "./check.js";
import type { EmulatedDevice } from "./device.js";
import type { DeviceState } from "./state.js";

/** A memory range shared by several buffers; it is released when the last one leaves. */
export class SharedRange {
  readonly #release: () => void;
  #users = 0;

  constructor(release: () => void) {
    this.#release = release;
  }

  use(): void {
    this.#users++;
  }

  leave(): void {
    if (--this.#users === 0) this.#release();
  }
}

/** Where a buffer is located. */
export interface BufferPlace {
  readonly range: SharedRange;
  /** Byte offset in linear memory. */
  readonly offset: number;
  readonly byteLength: number;
}

/** A buffer of an emulated device. */
export class EmulatedBuffer<T extends TypedArray = TypedArray> implements DeviceBuffer<T> {
  readonly byteLength: number;
  readonly #state: DeviceState;
  readonly #place: BufferPlace;
  readonly #elements: TypedArrayClass<T>;
  #disposed = false;

  /** @internal */
  constructor(state: DeviceState, place: BufferPlace, elements: TypedArrayClass<T>) {
    this.#state = state;
    this.#place = place;
    this.#elements = elements;
    this.byteLength = place.byteLength;
    place.range.use();
  }

  /** The device that owns this buffer. */
  get device(): EmulatedDevice {
    return this.#state.device;
  }

  get address(): bigint {
    return BigInt(ADDRESS_BASE + this.#place.offset);
  }

  get length(): number {
    return Math.floor(this.byteLength / this.#elements.BYTES_PER_ELEMENT);
  }

  /** Whether this buffer or its device has been disposed. */
  get disposed(): boolean {
    return this.#disposed || this.device.disposed;
  }

  async read(options: { readonly stream?: DeviceStream } = {}): Promise<T> {
    checkNames(options, ["stream"]);
    this.#check(options.stream);
    const { length } = this;
    return this.#state.queue.add(() => {
      const copy = new this.#elements(length);
      bytesOf(copy).set(this.#bytes(0, copy.byteLength));
      return copy;
    });
  }

  async copyTo(
    target: ArrayBufferView | ArrayBuffer | DeviceBuffer,
    options: CopyOptions = {},
  ): Promise<void> {
    const { offset, other } = this.#checkCopy("target", target, options);
    await this.#state.queue.add(() => other.bytes().set(this.#bytes(offset, other.length)));
  }

  async copyFrom(
    source: ArrayBufferView | ArrayBuffer | DeviceBuffer,
    options: CopyOptions = {},
  ): Promise<void> {
    const { offset, other } = this.#checkCopy("source", source, options);
    await this.#state.queue.add(() => this.#bytes(offset, other.length).set(other.bytes()));
  }

  async fill(pattern: number, options: FillOptions = {}): Promise<void> {
    checkNames(options, ["offset", "byteLength", "width", "stream"]);
    this.#check(options.stream);
    const { offset = 0, width = 1 } = options;
    wholeNumber("offset", offset, 0, this.byteLength);
    if (width !== 1 && width !== 2 && width !== 4) throw invalid("`width` as 1, 2 or 4", width);
    wholeNumber("pattern", pattern, 0, 2 ** (8 * width) - 1);
    const bytes = wholeNumber(
      "byteLength",
      options.byteLength ?? this.byteLength - offset,
      0,
      this.byteLength - offset,
    );
    if (bytes % width !== 0) throw invalid(`\`byteLength\` as a multiple of ${width}`, bytes);
    await this.#state.queue.add(() => fillBytes(this.#bytes(offset, bytes), pattern, width));
  }

  part(byteOffset: number, byteLength: number = this.byteLength - byteOffset): EmulatedBuffer<T> {
    this.#check();
    wholeNumber("byteOffset", byteOffset, 0, this.byteLength);
    wholeNumber("byteLength", byteLength, 0, this.byteLength - byteOffset);
    const { range, offset } = this.#place;
    return new EmulatedBuffer(
      this.#state,
      { range, offset: offset + byteOffset, byteLength },
      this.#elements,
    );
  }

  as<Other extends TypedArray>(elements: TypedArrayClass<Other>): EmulatedBuffer<Other> {
    this.#check();
    if (typeof elements !== "function" || !(elements.BYTES_PER_ELEMENT >= 1)) {
      throw invalid("the class of a typed array", elements);
    }
    return new EmulatedBuffer(this.#state, this.#place, elements);
  }

  /** Frees the memory once no other slice or view uses it. Repeated calls have no effect. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#place.range.leave();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @throws EmulatorError DISPOSED, INVALID_ARGUMENT */
  #check(stream?: DeviceStream): void {
    checkOpen("buffer", this.disposed);
    if (stream !== undefined) this.#state.checkStream(stream);
  }

  #checkCopy(what: string, value: ArrayBufferView | ArrayBuffer | DeviceBuffer, options: CopyOptions) {
    checkNames(options, ["offset", "stream"]);
    this.#check(options.stream);
    const other = this.#hostOrDevice(what, value);
    const offset = wholeNumber("offset", options.offset ?? 0, 0, this.byteLength);
    if (other.length > this.byteLength - offset) {
      const here = `${this.byteLength} bytes${offset === 0 ? "" : ` from byte ${offset} on`}`;
      throw new EmulatorError(
        "INVALID_ARGUMENT",
        `expected a ${what} that fits a buffer of ${here}, found one of ${other.length} bytes`,
      );
    }
    if (value instanceof EmulatedBuffer) {
      const distance = value.#place.offset - (this.#place.offset + offset);
      if (Math.abs(distance) < other.length) throw new EmulatorError("INVALID_ARGUMENT", OVERLAP_TEXT);
    }
    return { offset, other };
  }

  /** The other side of a copy. Its bytes are read when the copy runs, not when it is queued. */
  #hostOrDevice(what: string, value: unknown): { readonly length: number; readonly bytes: () => Uint8Array } {
    if (value instanceof EmulatedBuffer) {
      if (value.device !== this.device) throw foreign("buffer");
      checkOpen("buffer", value.disposed);
      return { length: value.byteLength, bytes: () => value.#bytes(0, value.byteLength) };
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      const { length } = hostBytes(what, value);
      return { length, bytes: () => hostBytes(what, value, length) };
    }
    throw new EmulatorError(
      "INVALID_ARGUMENT",
      `expected a typed array, an ArrayBuffer or a buffer as ${what}, found ${describeValue(value)}`,
    );
  }

  #bytes(offset: number, length: number): Uint8Array {
    return this.#state.memory.bytes(this.#place.offset + offset, length);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * The host memory to copy from or to.
 * @param length the length at the time the copy was queued
 * @throws EmulatorError INVALID_ARGUMENT if the memory was transferred or resized since
 */
function hostBytes(what: string, value: ArrayBufferView | ArrayBuffer, length?: number): Uint8Array {
  const expected = length === undefined ? `a ${what} with memory` : `a ${what} of ${length} bytes`;
  let bytes: Uint8Array;
  try {
    bytes = ArrayBuffer.isView(value) ? bytesOf(value) : new Uint8Array(value);
  } catch (cause) {
    throw new EmulatorError("INVALID_ARGUMENT", `expected ${expected}, found one that is detached`, {
      cause,
    });
  }
  if (length !== undefined && bytes.length !== length)
    throw new EmulatorError("INVALID_ARGUMENT", `expected ${expected} still, found ${bytes.length}`);
  return bytes;
}

/** Device memory is little-endian on every host. */
function fillBytes(bytes: Uint8Array, pattern: number, width: number): void {
  if (width === 1) {
    bytes.fill(pattern);
    return;
  }
  for (let byte = 0; byte < width; byte++) {
    const value = (pattern >>> (8 * byte)) & 0xff;
    for (let at = byte; at < bytes.length; at += width) bytes[at] = value;
  }
}
