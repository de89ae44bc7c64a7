// The record of a texture or surface object as kernels read it: its layout, which imageRecord writes, and its contents.
import {
  IMAGE_BORDER as border,
  CHANNEL_KINDS,
  type ChannelKind,
  type Image,
  type ImageKind,
  IMAGE_MARKS as marks,
} from "./image.js";
import type { ProcedureHost } from "./procedure.js";

/** Offsets in the record. All fields are words, except the address, which has 64 bits, and the modes, which are bytes. */
export const IMAGE_LAYOUT = Object.freeze({
  ...{ mark: 0, dimensions: 4, flags: 8, width: 12, height: 16, depth: 20 },
  ...{ channels: 24, bits: 28, channelKind: 32, pitch: 36, slice: 40, modes: 44, address: 48 },
  border,
});

/** Bits of the flags. */
export const IMAGE_FLAGS = Object.freeze({
  layered: 1,
  linear: 2,
  filtered: 4,
  normalized: 8,
  readsNormalized: 16,
  cube: 32,
});

/** The bytes whose allocation is checked; a handle is a multiple of them. */
export const CHECKED_BYTES = 16;

/** The name of the geometry in opcodes. */
export const geometryOf = ({
  dimensions,
  isLayered,
  isCube,
}: Pick<Image, "dimensions" | "isLayered" | "isCube">) =>
  `${isLayered ? "a" : ""}${isCube ? "cube" : `${dimensions}d`}`;

/** The number of words with coordinates in each geometry, some of which are ignored. */
export const COORDINATES: Readonly<Record<string, number>> = {
  ...{ "1d": 1, a1d: 2, "2d": 2 },
  ...{ a2d: 4, "3d": 4, cube: 4, acube: 4 },
};

/** The faces of a cube. */
export const FACES = 6;

/** The contents of a record. */
export interface ReadImage extends Omit<Image, "border"> {
  /** The channels of elements outside, as a register gets them. */
  readonly border: readonly number[];
}

/** The image of a handle. */
export function imageAt(host: ProcedureHost, handle: bigint, kind: ImageKind): ReadImage {
  const at = host.place(handle, "global", CHECKED_BYTES, "load");
  const { view } = host;
  const word = (offset: number) => view.getUint32(at + offset, true);
  if (word(IMAGE_LAYOUT.mark) !== marks[kind])
    throw host.trap(`expected the handle of a ${kind} object, found 0x${handle.toString(16)}`);
  const flags = word(IMAGE_LAYOUT.flags);
  const flag = (bit: number) => (flags & bit) !== 0;
  const mode = (axis: number) => view.getUint8(at + IMAGE_LAYOUT.modes + axis);
  return {
    kind,
    dimensions: word(IMAGE_LAYOUT.dimensions) as Image["dimensions"],
    isLayered: flag(IMAGE_FLAGS.layered),
    isCube: flag(IMAGE_FLAGS.cube),
    isLinear: flag(IMAGE_FLAGS.linear),
    isFiltered: flag(IMAGE_FLAGS.filtered),
    isNormalized: flag(IMAGE_FLAGS.normalized),
    readsNormalized: flag(IMAGE_FLAGS.readsNormalized),
    width: word(IMAGE_LAYOUT.width),
    height: word(IMAGE_LAYOUT.height),
    depth: word(IMAGE_LAYOUT.depth),
    channels: word(IMAGE_LAYOUT.channels),
    bits: word(IMAGE_LAYOUT.bits),
    channelKind: CHANNEL_KINDS[word(IMAGE_LAYOUT.channelKind)] as ChannelKind,
    pitch: word(IMAGE_LAYOUT.pitch),
    slice: word(IMAGE_LAYOUT.slice),
    modes: [mode(0), mode(1), mode(2)],
    address: view.getBigUint64(at + IMAGE_LAYOUT.address, true),
    border: [0, 4, 8, 12].map((offset) => word(IMAGE_LAYOUT.border + offset)),
  };
}
