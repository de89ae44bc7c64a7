// The texture and surface objects of a program.
import { ImageObject } from "../device/image.js";
import type { DeviceState } from "../device/state.js";
import type { ChannelKind, Image } from "../procedures/image.js";
import { CudaError, INVALID_VALUE } from "./cuda-errors.js";
import type { DeviceMemory } from "./device-memory.js";
import { type Fields, fieldsOf } from "./wire.js";

/** `cudaChannelFormatKind`. */
const KINDS: readonly ChannelKind[] = ["signed", "unsigned", "float"];

export class ProgramImages {
  readonly #objects = new Map<bigint, ImageObject>();

  /** @returns the handle. @throws CudaError if an element is not in the device's memory */
  create(fields: Fields, state: DeviceState, memory: DeviceMemory): Uint8Array {
    const image = readImage(fields);
    const { width, height, depth, channels, bits, pitch, slice, address } = image;
    memory.view(Number(address), slice * (depth - 1) + pitch * (height - 1) + (width * channels * bits) / 8);
    const object = new ImageObject(state, image);
    this.#objects.set(object.handle, object);
    return fieldsOf(object.handle);
  }

  /** @throws CudaError for a handle that belongs to no object */
  destroy(fields: Fields): undefined {
    const handle = BigInt(fields.u64());
    const object = this.#objects.get(handle);
    if (object === undefined) throw new CudaError(INVALID_VALUE);
    this.#objects.delete(handle);
    object.dispose();
  }

  /** Forgets the objects of a device that is closed. */
  clear(): void {
    this.#objects.clear();
  }
}

/** The fields of `ImageMessage` in native/cudart/wire.h. */
function readImage(fields: Fields): Image {
  const kind = fields.u32() === 1 ? "surface" : "texture";
  const dimensions = fields.u32() as Image["dimensions"];
  const flags = fields.u32();
  const flag = (index: number) => ((flags >> index) & 1) === 1;
  return {
    kind,
    dimensions,
    ...{ isLayered: flag(0), isLinear: flag(1), isFiltered: flag(2), isNormalized: flag(3) },
    ...{ readsNormalized: flag(4), isCube: flag(5) },
    ...{ width: fields.u32(), height: fields.u32(), depth: fields.u32() },
    ...{ channels: fields.u32(), bits: fields.u32(), channelKind: KINDS[fields.u32()] ?? "unsigned" },
    modes: [fields.u32(), fields.u32(), fields.u32()],
    border: [fields.f32(), fields.f32(), fields.f32(), fields.f32()],
    ...{ pitch: fields.u64(), slice: fields.u64(), address: BigInt(fields.u64()) },
  };
}
