// Texture and surface objects in linear memory. A handle is the address of a record that says where the elements are and
// how they are read. The device writes the records; ./image-record.ts reads them.

/** How coordinates outside an image are treated. */
export const ADDRESS_MODES = ["wrap", "clamp", "mirror", "border"] as const;

/** How the channels of an element are kept. */
export type ChannelKind = "unsigned" | "signed" | "float";
export const CHANNEL_KINDS: readonly ChannelKind[] = ["unsigned", "signed", "float"];

export type ImageKind = "texture" | "surface";

/** The object that a handle refers to. */
export interface Image {
  readonly kind: ImageKind;
  readonly dimensions: 1 | 2 | 3;
  readonly isLayered: boolean;
  /** Whether its layers are the faces of cubes, in groups of six. */
  readonly isCube?: boolean;
  /** Whether it reads linear memory, where elements outside are 0. */
  readonly isLinear: boolean;
  readonly width: number;
  readonly height: number;
  /** The depth, or the number of layers or faces. */
  readonly depth: number;
  readonly channels: number;
  /** The bits of a channel. */
  readonly bits: number;
  readonly channelKind: ChannelKind;
  /** Bytes from a row, and from a slice or layer, to the next. */
  readonly pitch: number;
  readonly slice: number;
  /** The address of the first element. */
  readonly address: bigint;
  /** Indices into {@link ADDRESS_MODES}, for each coordinate. */
  readonly modes: readonly [number, number, number];
  readonly isFiltered: boolean;
  readonly isNormalized: boolean;
  /** Whether integers are read as numbers from 0, or -1, to 1. */
  readonly readsNormalized: boolean;
  readonly border: readonly number[];
}

export const IMAGE_BYTES = 80;
/** The first word of each kind of record. */
export const IMAGE_MARKS = { texture: 0x5845_544d, surface: 0x5246_534d } as const;
/** The offset of the border in a record: its channels, as registers get them. */
export const IMAGE_BORDER = 64;

/** The record of an image. */
export function imageRecord(image: Image): Uint8Array {
  const bytes = new Uint8Array(IMAGE_BYTES);
  const view = new DataView(bytes.buffer);
  const { modes, border } = image;
  const flags = [
    image.isLayered,
    image.isLinear,
    image.isFiltered,
    image.isNormalized,
    image.readsNormalized,
    image.isCube,
  ];
  [
    ...[
      IMAGE_MARKS[image.kind],
      image.dimensions,
      flags.reduce((all, flag, i) => all | (Number(flag) << i), 0),
    ],
    ...[
      image.width,
      image.height,
      image.depth,
      image.channels,
      image.bits,
      CHANNEL_KINDS.indexOf(image.channelKind),
    ],
    ...[image.pitch, image.slice, modes[0] | (modes[1] << 8) | (modes[2] << 16)],
  ].forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  view.setBigUint64(48, image.address, true);
  const isFloat = image.channelKind === "float" || image.readsNormalized;
  border.slice(0, image.channels).forEach((value, i) => {
    view[isFloat ? "setFloat32" : "setUint32"](IMAGE_BORDER + 4 * i, value, true);
  });
  return bytes;
}
