// Arrays, texture objects and surface objects of an emulated device (CUDA Runtime API, Texture Object Management). Kernels
// get the handles of objects as 64-bit parameters.
import {
  type Checks,
  isAnything,
  isBoolean,
  isList,
  isNumber,
  isOneOf,
  isWhole,
  optionProblem,
} from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import {
  ADDRESS_MODES,
  type ChannelKind,
  IMAGE_BYTES,
  type Image,
  imageRecord,
} from "../procedures/image.js";
import { EmulatedBuffer } from "./buffer.js";
import { checkOpen, foreign } from "./check.js";
import type { EmulatedDevice } from "./device.js";
import type { DeviceState } from "./state.js";

/** How a channel of an element is stored. */
export type ChannelFormat = "u8" | "s8" | "u16" | "s16" | "f16" | "u32" | "s32" | "f32";

const FORMATS: Readonly<Record<ChannelFormat, { readonly bits: number; readonly kind: ChannelKind }>> = {
  u8: { bits: 8, kind: "unsigned" },
  s8: { bits: 8, kind: "signed" },
  u16: { bits: 16, kind: "unsigned" },
  s16: { bits: 16, kind: "signed" },
  f16: { bits: 16, kind: "float" },
  u32: { bits: 32, kind: "unsigned" },
  s32: { bits: 32, kind: "signed" },
  f32: { bits: 32, kind: "float" },
};

/** The size and the elements of an array. */
export interface ArrayOptions {
  readonly format: ChannelFormat;
  /** The number of channels of an element: 1 by default, 2 or 4. */
  readonly channels?: 1 | 2 | 4;
  /** Elements in a row. */
  readonly width: number;
  /** Rows; the array has one dimension without it. */
  readonly height?: number;
  /** Slices; the array has at most two dimensions without it. */
  readonly depth?: number;
  /** The number of layers of an array of one or two dimensions. */
  readonly layers?: number;
}

/** A part of a buffer that a texture reads as one row, or as rows. */
export interface BufferImage {
  readonly buffer: EmulatedBuffer;
  /** The offset of the first element in bytes; 0 by default. */
  readonly offset?: number;
  readonly format: ChannelFormat;
  /** The number of channels of an element: 1 by default, 2 or 4. */
  readonly channels?: 1 | 2 | 4;
  readonly width: number;
  /** Rows; without it, the texture has one dimension, and elements outside are 0. */
  readonly height?: number;
  /** Bytes from a row to the next; without gaps by default. */
  readonly pitch?: number;
}

/** How coordinates outside the texture are treated. `wrap` and `mirror` need normalized coordinates. */
export type AddressMode = "wrap" | "clamp" | "mirror" | "border";

/** A texture: what it reads, and how. */
export interface TextureOptions {
  readonly source: EmulatedArray | BufferImage;
  /** How coordinates outside are treated, for all of them or for each; `clamp` by default. */
  readonly addressMode?: AddressMode | readonly AddressMode[];
  /** `point` by default. `linear` needs elements that are read as floats. */
  readonly filter?: "point" | "linear";
  /** Whether coordinates go from 0 to 1 instead of counting elements; false by default. */
  readonly normalizedCoordinates?: boolean;
  /** Whether integers of 8 or 16 bits are read as floats from 0, or -1, to 1; `element` by default. */
  readonly readMode?: "element" | "normalized-float";
  /** The value outside, for the address mode `border`; zeros by default. */
  readonly borderColor?: readonly number[];
}

const MOST_WIDTH = 2 ** 27;
const SHAPE: Checks = {
  format: isOneOf(Object.keys(FORMATS)),
  channels: isWhole(1, 4),
  width: isWhole(1, MOST_WIDTH),
  height: isWhole(1, 2 ** 16),
};
const ARRAY: Checks = { ...SHAPE, depth: isWhole(1, 2 ** 14), layers: isWhole(1, 2 ** 11) };
const BUFFER: Checks = {
  ...SHAPE,
  buffer: isAnything,
  offset: isWhole(0, 2 ** 32),
  pitch: isWhole(1, 2 ** 32),
};
const TEXTURE: Checks = {
  source: isAnything,
  addressMode: (value, name) =>
    Array.isArray(value) ? isList(isOneOf(ADDRESS_MODES))(value, name) : isOneOf(ADDRESS_MODES)(value, name),
  filter: isOneOf(["point", "linear"]),
  normalizedCoordinates: isBoolean,
  readMode: isOneOf(["element", "normalized-float"]),
  borderColor: isList(isNumber(-Infinity, Infinity)),
};

/** Where the elements are. */
type Place = Pick<
  Image,
  | "dimensions"
  | "isLayered"
  | "isLinear"
  | "width"
  | "height"
  | "depth"
  | "channels"
  | "bits"
  | "channelKind"
  | "pitch"
  | "slice"
  | "address"
>;

const wrong = (message: string): EmulatorError => new EmulatorError("INVALID_ARGUMENT", message);

/** @throws EmulatorError INVALID_ARGUMENT */
function checkAll(options: object, checks: Checks, rules: { readonly required: readonly string[] }): void {
  const problem = optionProblem(options, checks, rules);
  if (problem !== undefined) throw wrong(problem);
}

function elementOf({ format, channels = 1 }: Pick<ArrayOptions, "format" | "channels">) {
  if (channels !== 1 && channels !== 2 && channels !== 4)
    throw wrong(`option \`channels\`: expected 1, 2 or 4, found ${channels}`);
  const { bits, kind } = FORMATS[format];
  return { channels, bits, channelKind: kind, bytes: (channels * bits) / 8 };
}

/** An array (`cudaArray_t`): elements in up to three dimensions, or layers of them, for textures and surfaces. */
export class EmulatedArray {
  /** Its elements: row by row, slice by slice, without gaps. */
  readonly buffer: EmulatedBuffer<Uint8Array>;
  /** @internal */
  readonly place: Place;

  /** @internal */
  constructor(device: EmulatedDevice, options: ArrayOptions) {
    checkAll(options, ARRAY, { required: ["format", "width"] });
    const { width, height, depth, layers } = options;
    if (depth !== undefined && (height === undefined || layers !== undefined))
      throw wrong("expected an array with `depth` to have `height` and no `layers`");
    const { bytes, ...element } = elementOf(options);
    const pitch = width * bytes;
    const slice = pitch * (height ?? 1);
    const count = depth ?? layers ?? 1;
    this.buffer = device.allocate(slice * count);
    this.place = {
      ...element,
      dimensions: depth !== undefined ? 3 : height !== undefined ? 2 : 1,
      isLayered: layers !== undefined,
      isLinear: false,
      ...{ width, height: height ?? 1, depth: count, pitch, slice },
      address: this.buffer.address,
    };
  }

  /** Whether it or its device has been disposed. */
  get disposed(): boolean {
    return this.buffer.disposed;
  }

  /** Frees the memory. Objects that read it become invalid. */
  dispose(): void {
    this.buffer.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * An object that kernels use through its handle.
 * @internal
 */
export class ImageObject {
  /** The handle, for a parameter: `u64(object.handle)`. */
  readonly handle: bigint;
  readonly #release: () => void;
  #disposed = false;

  /** @internal */
  constructor({ memory, queue }: DeviceState, image: Image) {
    const offset = memory.take(IMAGE_BYTES, { zero: true, label: `${image.kind} object` });
    memory.bytes(offset, IMAGE_BYTES).set(imageRecord(image));
    this.handle = (0x7f00n << 32n) + BigInt(offset);
    this.#release = () => queue.finally(() => memory.give(offset));
  }

  /** Destroys the object after the work that was queued before. Repeated calls have no effect. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#release();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A texture object (`cudaTextureObject_t`). */
export class EmulatedTexture extends ImageObject {
  /** @internal */
  constructor(state: DeviceState, options: TextureOptions) {
    checkAll(options, TEXTURE, { required: ["source"] });
    const { source, addressMode = "clamp", filter = "point", readMode = "element" } = options;
    const place =
      source instanceof EmulatedArray ? placeOfArray(state, source) : placeOfBuffer(state, source);
    const readsNormalized = readMode === "normalized-float" && place.channelKind !== "float";
    if (readsNormalized && place.bits > 16)
      throw wrong("expected elements of 8 or 16 bits for the read mode `normalized-float`, found 32");
    if (filter === "linear" && place.channelKind !== "float" && !readsNormalized)
      throw wrong("expected elements that are read as floats for the filter `linear`, found integers");
    if (filter === "linear" && place.isLinear)
      throw wrong("expected an array or rows of a buffer for the filter `linear`, found one row of a buffer");
    const modes = typeof addressMode === "string" ? [addressMode] : addressMode;
    const mode = (axis: number) => ADDRESS_MODES.indexOf(modes[axis] ?? modes.at(-1) ?? "clamp");
    super(state, {
      kind: "texture",
      ...place,
      modes: [mode(0), mode(1), mode(2)],
      isFiltered: filter === "linear",
      isNormalized: options.normalizedCoordinates ?? false,
      readsNormalized,
      border: [0, 1, 2, 3].map((i) => options.borderColor?.[i] ?? 0),
    });
  }
}

/** A surface object (`cudaSurfaceObject_t`). */
export class EmulatedSurface extends ImageObject {
  /** @internal */
  constructor(state: DeviceState, array: EmulatedArray) {
    if (!(array instanceof EmulatedArray)) throw wrong("expected an array of this device for a surface");
    super(state, {
      kind: "surface",
      ...placeOfArray(state, array),
      ...{ modes: [1, 1, 1], isFiltered: false, isNormalized: false, readsNormalized: false },
      border: [0, 0, 0, 0],
    });
  }
}

function placeOfArray({ device }: DeviceState, { buffer, place }: EmulatedArray): Place {
  if (buffer.device !== device) throw foreign("array");
  checkOpen("array", buffer.disposed);
  return place;
}

function placeOfBuffer({ device }: DeviceState, source: BufferImage): Place {
  checkAll(source, BUFFER, { required: ["buffer", "format", "width"] });
  const { buffer, offset = 0, width, height } = source;
  if (!(buffer instanceof EmulatedBuffer))
    throw wrong("option `source.buffer`: expected a buffer of this device");
  if (buffer.device !== device) throw foreign("buffer");
  checkOpen("buffer", buffer.disposed);
  const { bytes, ...element } = elementOf(source);
  const { pitch = width * bytes } = source;
  const address = buffer.address + BigInt(offset);
  if (Number(address % BigInt(bytes)) !== 0 || pitch % bytes !== 0)
    throw wrong(`expected an offset and a pitch that are multiples of ${bytes} bytes`);
  const end = offset + pitch * ((height ?? 1) - 1) + width * bytes;
  if (pitch < width * bytes || end > buffer.byteLength)
    throw wrong(`expected rows inside the buffer of ${buffer.byteLength} bytes, found an end at ${end}`);
  return {
    ...element,
    dimensions: height === undefined ? 1 : 2,
    isLayered: false,
    isLinear: height === undefined,
    ...{ width, height: height ?? 1, depth: 1, pitch, slice: 0, address },
  };
}
