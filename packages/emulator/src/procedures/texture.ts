// Textures (PTX ISA, Texture Instructions; CUDA C++ Programming Guide, Texture Fetching). Only the first level of detail
// exists. Linear filtering has weights with 8 bits of fraction.
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import type { Operation } from "../program/operation.js";
import type { ImageKind } from "./image.js";
import { COORDINATES, FACES, geometryOf, imageAt, type ReadImage } from "./image-record.js";
import type { Procedure, ProcedureHost } from "./procedure.js";

const WRAP = 0;
const MIRROR = 2;
const BORDER = 3;
/** The steps of a weight from one element to the next. */
const STEPS = 256;

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

/** NaNs are the one that arithmetic produces. */
const bitsOfFloat = (value: number): number => {
  if (Number.isNaN(value)) return NAN_32;
  single[0] = value;
  return word[0]!;
};
const floatOfBits = (bits: number): number => {
  word[0] = bits;
  return single[0]!;
};

/** The f32 that the bits of an f16 stand for. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits >> 15 === 0 ? 1 : -1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** The bits of a channel as a register gets them. */
function channel(view: DataView, at: number, { bits, channelKind, readsNormalized }: ReadImage): number {
  const raw =
    bits === 8 ? view.getUint8(at) : bits === 16 ? view.getUint16(at, true) : view.getUint32(at, true);
  if (channelKind === "float") return bits === 16 ? bitsOfFloat(half(raw)) : raw;
  const value = channelKind === "signed" ? (raw << (32 - bits)) >> (32 - bits) : raw;
  if (!readsNormalized) return value >>> 0;
  const most = channelKind === "signed" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return bitsOfFloat(Math.max(value / most, -1));
}

/** The element at an index of each coordinate, or what is outside for an index of -1; four channels as bits. */
function element(host: ProcedureHost, image: ReadImage, x: number, y: number, z: number): readonly number[] {
  if (x < 0 || y < 0 || z < 0) return image.border;
  const bytes = (image.channels * image.bits) / 8;
  const address = image.address + BigInt(z * image.slice + y * image.pitch + x * bytes);
  const at = host.place(address, "global", bytes, "load");
  const { view } = host;
  return [0, 1, 2, 3].map((i) => (i < image.channels ? channel(view, at + (i * image.bits) / 8, image) : 0));
}

/** The index of an element in an image of `size`; -1 for the border. Only normalized coordinates wrap around. */
function inside(index: number, size: number, mode: number, image: ReadImage): number {
  if (index >= 0 && index < size) return index;
  if (image.isLinear || mode === BORDER) return -1;
  if (image.isNormalized && mode === WRAP) return ((index % size) + size) % size;
  if (image.isNormalized && mode === MIRROR) {
    const turned = ((index % (2 * size)) + 2 * size) % (2 * size);
    return turned < size ? turned : 2 * size - 1 - turned;
  }
  return index < 0 ? 0 : size - 1;
}

const MOST = 2 ** 40;
const limited = (value: number): number => (Number.isNaN(value) ? 0 : Math.max(-MOST, Math.min(MOST, value)));

/** The coordinates of a fetch, in elements, and the layer. */
interface Point {
  readonly at: readonly number[];
  readonly layer: number;
}

/**
 * The point of a direction: the coordinate with the greatest magnitude selects the face (CUDA C++ Programming Guide,
 * Cubemap Textures). For equal magnitudes, which the guide leaves open, x comes before y, and y before z.
 */
function cubePoint({ width, height, depth, isLayered }: ReadImage, bits: readonly number[]): Point {
  const first = isLayered ? Math.min(bits[0]!, depth / FACES - 1) * FACES : 0;
  const [x, y, z] = bits.slice(isLayered ? 1 : 0).map(floatOfBits) as [number, number, number];
  const [a, b, c] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const [face, magnitude, s, t] =
    a >= b && a >= c
      ? [x < 0 ? 1 : 0, a, x < 0 ? z : -z, -y]
      : b >= c
        ? [y < 0 ? 3 : 2, b, x, y < 0 ? -z : z]
        : [z < 0 ? 5 : 4, c, z < 0 ? -x : x, -y];
  const along = (value: number, size: number) => limited((value / magnitude + 1) / 2) * size;
  return { at: [along(s, width), along(t, height)], layer: first + face };
}

function pointOf(image: ReadImage, coordinates: readonly bigint[], isInteger: boolean): Point {
  const bits = coordinates.map(Number);
  if (image.isCube) return cubePoint(image, bits);
  const layer = image.isLayered ? Math.min(bits[0]!, image.depth - 1) : 0;
  const sizes = [image.width, image.height, image.depth];
  const own = bits.slice(image.isLayered ? 1 : 0).slice(0, image.dimensions);
  const at = own.map((value, axis) => {
    if (isInteger) return value | 0;
    const coordinate = limited(floatOfBits(value));
    return image.isNormalized ? coordinate * sizes[axis]! : coordinate;
  });
  return { at, layer };
}

/** The element at the lower indices of a footprint, the next ones, and the weight of those, along an axis. */
interface Pair {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

function pairs(image: ReadImage, { at }: Point): readonly Pair[] {
  const sizes = [image.width, image.height, image.depth];
  return at.map((coordinate, axis) => {
    const steps = Math.floor((coordinate - 0.5) * STEPS + 0.5);
    const index = Math.floor(steps / STEPS);
    const of = (i: number) => inside(i, sizes[axis]!, image.modes[axis]!, image);
    return { low: of(index), high: of(index + 1), weight: (steps - index * STEPS) / STEPS };
  });
}

const NO_PAIR: Pair = { low: 0, high: 0, weight: 0 };

function filtered(host: ProcedureHost, image: ReadImage, point: Point): readonly number[] {
  const [x, y = NO_PAIR, z = { ...NO_PAIR, low: point.layer }] = pairs(image, point);
  const sum = [0, 0, 0, 0];
  for (let corner = 0; corner < 8; corner++) {
    const along = (pair: Pair, bit: number): readonly [number, number] =>
      ((corner >> bit) & 1) === 0 ? [pair.low, 1 - pair.weight] : [pair.high, pair.weight];
    const [[i, a], [j, b], [k, c]] = [along(x!, 0), along(y, 1), along(z, 2)];
    const weight = a * b * c;
    if (weight === 0) continue;
    element(host, image, i, j, k).forEach((bits, channel) => {
      sum[channel]! += weight * floatOfBits(bits);
    });
  }
  return sum.map(bitsOfFloat);
}

function nearest(host: ProcedureHost, image: ReadImage, { at, layer }: Point): readonly number[] {
  const sizes = [image.width, image.height, image.depth];
  const [x, y = 0, z = layer] = at.map((coordinate, axis) =>
    inside(Math.floor(coordinate), sizes[axis]!, image.modes[axis]!, image),
  );
  return element(host, image, x!, y, z);
}

/** Checks that the number of coordinates, and layers, are those of the texture. */
function checkGeometry(host: ProcedureHost, image: ReadImage, geometry: string): void {
  const own = geometryOf(image);
  if (own !== geometry) throw host.trap(`expected \`.${own}\`, which the object has, found \`.${geometry}\``);
}

const big = (values: readonly number[]): readonly bigint[] => [
  ...values.map((bits) => BigInt(bits >>> 0)),
  1n,
];

/** The procedure of a form of `tex`. */
export function texture({ modifiers, types }: Operation): Procedure {
  const geometry = modifiers.geom!;
  const isInteger = types[1] === "s32";
  return (host, [handle, ...sources]) => {
    const image = imageAt(host, handle!, "texture");
    checkGeometry(host, image, geometry);
    const point = pointOf(image, sources.slice(0, COORDINATES[geometry]!) as bigint[], isInteger);
    return big(image.isFiltered && !isInteger ? filtered(host, image, point) : nearest(host, image, point));
  };
}

/** The procedure of `tld4`: one channel of four neighbours, counterclockwise from the lower left. */
export function gather({ modifiers }: Operation): Procedure {
  const channel = "rgba".indexOf(modifiers.part!);
  return (host, [handle, ...sources]) => {
    const image = imageAt(host, handle!, "texture");
    checkGeometry(host, image, "2d");
    const [x, y] = pairs(image, pointOf(image, sources as bigint[], false)) as [Pair, Pair];
    const at = (i: number, j: number) => element(host, image, i, j, 0)[channel]!;
    return big([at(x.low, y.high), at(x.high, y.high), at(x.high, y.low), at(x.low, y.low)]);
  };
}

/** The procedure of `txq` and `suq`. */
export const query =
  (kind: ImageKind) =>
  ({ modifiers }: Operation): Procedure =>
  (host, [handle]) => {
    const image = imageAt(host, handle!, kind);
    const { width, height, depth, dimensions, isLayered, isCube, isNormalized } = image;
    const answers: Readonly<Record<string, number>> = {
      width,
      height: dimensions > 1 ? height : 0,
      depth: dimensions > 2 ? depth : 0,
      array_size: isLayered ? depth / (isCube ? FACES : 1) : 0,
      normalized_coords: Number(isNormalized),
      num_mipmap_levels: 1,
      num_samples: 1,
    };
    return [BigInt(answers[modifiers.query!]!)];
  };
