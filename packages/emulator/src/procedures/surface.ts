// Surfaces (PTX ISA, Surface Instructions): unformatted reads and writes, whose first coordinate counts bytes.
import type { Operation } from "../program/operation.js";
import { TYPES } from "../program/types.js";
import { COORDINATES, geometryOf, imageAt, type ReadImage } from "./image-record.js";
import type { Procedure, ProcedureHost } from "./procedure.js";

/** The address of an access; undefined when it is outside and reads 0. */
function addressOf(
  host: ProcedureHost,
  image: ReadImage,
  sources: readonly (bigint | undefined)[],
  access: { readonly bytes: number; readonly geometry: string; readonly clamp: string },
): bigint | undefined {
  const { bytes, geometry, clamp } = access;
  const own = geometryOf(image);
  if (own !== geometry) throw host.trap(`expected \`.${own}\`, which the object has, found \`.${geometry}\``);
  const values = sources.map((source) => Number(source ?? 0n) | 0);
  const [layer, rest] = image.isLayered ? [values[0]!, values.slice(1)] : [0, values];
  const [x, y = 0, z = layer] = rest.slice(0, image.dimensions);
  if (x! % bytes !== 0)
    throw host.trap(`expected a multiple of ${bytes} bytes as the first coordinate, found ${x}`);
  const row = (image.width * image.channels * image.bits) / 8;
  const places = [
    [x!, row - bytes, "x"],
    [y, image.height - 1, "y"],
    [z, image.depth - 1, image.isLayered ? "layer" : "z"],
  ] as const;
  const found = places.map(([value, most, name]) => {
    if (value >= 0 && value <= most) return value;
    if (clamp === "trap") throw host.trap(`expected 0 to ${most} as ${name} of a surface, found ${value}`);
    return clamp === "zero" ? -1 : value < 0 ? 0 : most;
  });
  if (found.includes(-1)) return undefined;
  return image.address + BigInt(found[2]! * image.slice + found[1]! * image.pitch + found[0]!);
}

/** The parts of a form of `suld` or `sust`. */
function partsOf({ modifiers, types }: Operation) {
  const { bits } = TYPES[types[0]!];
  const items = Number(modifiers.vec?.slice(1) ?? 1);
  const geometry = modifiers.geom!;
  const access = { bytes: (items * bits) / 8, geometry, clamp: modifiers.clamp! };
  return { bits, items, access, count: COORDINATES[geometry]! };
}

/** The procedure of a form of `suld`. */
export function surfaceLoad(operation: Operation): Procedure {
  const { bits, items, access, count } = partsOf(operation);
  return (host, [handle, ...sources]) => {
    const image = imageAt(host, handle!, "surface");
    const address = addressOf(host, image, sources.slice(0, count), access);
    if (address === undefined) return Array<bigint>(items).fill(0n);
    const at = host.place(address, "global", access.bytes, "load");
    return Array.from({ length: items }, (_, i) => load(host.view, at + (i * bits) / 8, bits));
  };
}

/** The procedure of a form of `sust`. */
export function surfaceStore(operation: Operation): Procedure {
  const { bits, items, access, count } = partsOf(operation);
  return (host, [handle, ...sources]) => {
    const image = imageAt(host, handle!, "surface");
    const address = addressOf(host, image, sources.slice(0, count), access);
    if (address === undefined) return [];
    const at = host.place(address, "global", access.bytes, "store");
    for (let i = 0; i < items; i++) store(host.view, at + (i * bits) / 8, bits, sources[count + i]!);
    return [];
  };
}

function load(view: DataView, at: number, bits: number): bigint {
  if (bits === 64) return view.getBigUint64(at, true);
  return BigInt(
    bits === 8 ? view.getUint8(at) : bits === 16 ? view.getUint16(at, true) : view.getUint32(at, true),
  );
}

function store(view: DataView, at: number, bits: number, value: bigint): void {
  if (bits === 64) view.setBigUint64(at, value, true);
  else if (bits === 8) view.setUint8(at, Number(value));
  else if (bits === 16) view.setUint16(at, Number(value), true);
  else view.setUint32(at, Number(value), true);
}
