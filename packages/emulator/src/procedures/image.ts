// Texture and surface objects in linear memory. A handle is the address of a record that says where the elements are and
// how they are read. The device writes the records, and the procedures of textures and surfaces read them.
import type { ProcedureHost } from "./procedure.js";

/** How coordinates outside an image are treated. */
export const ADDRESS_MODES = ["wrap", "clamp", "mirror", "border"] as const;

/** How the channels of an element are kept. */
export type ChannelKind = "unsigned" | "signed" | "float";
const KINDS: readonly ChannelKind[] = ["unsigned", "signed", "float"];

/** What a handle refers to. */
export interface Image {
  readonly kind: "texture" | "surface";
  readonly dimensions: 1 | 2 | 3;
  readonly isLayered: boolean;
  /** Whether it reads linear memory, where elements outside are 0. */
  readonly isLinear: boolean;
  readonly width: number;
  readonly height: number;
  /** The depth, or the number of layers. */
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
const MARKS = { texture: 0x5845_544d, surface: 0x5246_534d } as const;
const BORDER = 64;

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
  ];
  [
    ...[MARKS[image.kind], image.dimensions, flags.reduce((all, flag, i) => all | (Number(flag) << i), 0)],
    ...[image.width, image.height, image.depth, image.channels, image.bits, KINDS.indexOf(image.channelKind)],
    ...[image.pitch, image.slice, modes[0] | (modes[1] << 8) | (modes[2] << 16)],
  ].forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  view.setBigUint64(48, image.address, true);
  border.forEach((value, i) => {
    view.setFloat32(BORDER + 4 * i, value, true);
  });
  return bytes;
}

/** The image of a handle. */
export function imageAt(host: ProcedureHost, handle: bigint, kind: Image["kind"]): Image {
  const at = host.place(handle, "global", 16, "load");
  const { view } = host;
  const word = (i: number) => view.getUint32(at + 4 * i, true);
  if (word(0) !== MARKS[kind])
    throw host.trap(`expected the handle of a ${kind} object, found 0x${handle.toString(16)}`);
  const flag = (i: number) => ((word(2) >>> i) & 1) === 1;
  const modes = word(11);
  return {
    kind,
    dimensions: word(1) as 1 | 2 | 3,
    ...{ isLayered: flag(0), isLinear: flag(1), isFiltered: flag(2), isNormalized: flag(3) },
    readsNormalized: flag(4),
    ...{ width: word(3), height: word(4), depth: word(5), channels: word(6), bits: word(7) },
    channelKind: KINDS[word(8)]!,
    ...{ pitch: word(9), slice: word(10) },
    modes: [modes & 255, (modes >>> 8) & 255, modes >>> 16],
    address: view.getBigUint64(at + 48, true),
    border: [0, 1, 2, 3].map((i) => view.getFloat32(at + BORDER + 4 * i, true)),
  };
}
