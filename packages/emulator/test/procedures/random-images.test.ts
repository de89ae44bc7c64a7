// Reads of random textures and surfaces at random coordinates, with the same bits on both engines: the interpreter calls
// procedures, and translated kernels have functions of their own for what is usual.
import { f32, u64 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  type AddressMode,
  type ArrayOptions,
  type EmulatedArray,
  EmulatedDevice,
  type TextureOptions,
} from "../../src/index.js";
import { IMAGE_BYTES, type Image, imageRecord } from "../../src/procedures/image.js";
import { numbers } from "../support/kernel-case.js";

type Next = (below: number) => number;

const POINTS = 128;

const COORDINATES: Readonly<Record<string, string>> = {
  "1d": "%x0",
  "2d": "%x0, %x1",
  a1d: "%l, %x0",
  "3d": "%x0, %x1, %x2, %x2",
  a2d: "%l, %x0, %x1, %x1",
  cube: "%x0, %x1, %x2, %x2",
  acube: "%l, %x0, %x1, %x2",
};
/** Reads four words at `a`, the coordinates and the layer, and writes four. */
const kernel = (name: string, read: string) => `
.visible .entry ${name}(.param .u64 t, .param .u64 a, .param .u64 out, .param .f32 f) {
  .reg .b32 %x<3>; .reg .b32 %l; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b64 %t; .reg .pred %p; .reg .b16 %h<4>;
  ld.param.u64 %t, [t]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out];
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mov.u32 %r6, %tid.x;
  mad.lo.u32 %r7, %r4, %r5, %r6;
  mul.wide.u32 %rd3, %r7, 16;
  add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.v4.b32 {%x0, %x1, %x2, %l}, [%rd1];
  mov.b32 %r0, 1; mov.b32 %r1, 2; mov.b32 %r2, 3; mov.b32 %r3, 4;
  ${read}
  st.global.v4.b32 [%rd2], {%r0, %r1, %r2, %r3};
  ret;
}`;

const RESULT = "{%r0, %r1, %r2, %r3}";
const FETCHES = Object.entries(COORDINATES).flatMap(([geometry, coordinates]) => {
  const at = (type: string) => `.${geometry}.v4.u32.${type} ${RESULT}, [%t, {${coordinates}}]`;
  const reads: readonly (readonly [string, string])[] = [
    ["float", `tex${at("f32")};`],
    ...(geometry.endsWith("cube") ? [] : [["integer", `tex${at("s32")};`] as const]),
    ["level", `tex.level${at("f32")}, 0f00000000;`],
    // The predicate is true, so it selects the sum.
    ["resident", `tex${at("f32").replace(RESULT, `${RESULT}|%p`)}; @!%p mov.b32 %r0, 77;`],
    ...["r", "g", "a"].flatMap((part) =>
      geometry === "2d" ? [[`gather_${part}`, `tld4.${part}${at("f32")};`] as const] : [],
    ),
  ];
  return reads.map(([name, read]) => ({ geometry, name: `${name}_${geometry}`, read }));
});
const CUBES = FETCHES.filter(({ geometry }) => geometry.endsWith("cube"));
const FLAT = FETCHES.filter((fetch) => !CUBES.includes(fetch));
const SURFACES = Object.entries(COORDINATES)
  .slice(0, 5)
  .flatMap(([geometry, coordinates]) =>
    ["clamp", "zero"].flatMap((clamp) =>
      [1, 2, 4, 8, 16].map((bytes) => {
        const [type, load, store] = {
          1: ["b8", "%h0", "%h0"],
          2: ["b16", "%h0", "%h0"],
          4: ["b32", "%r0", "%r0"],
          8: ["b64", "%rd4", "%rd4"],
          16: ["v4.b32", RESULT, "{%r3, %r2, %r1, %r0}"],
        }[bytes]!;
        const at = `[%t, {${coordinates}}]`;
        const read = `mov.b64 %rd4, 0; mov.b16 %h0, 0; suld.b.${geometry}.${type}.${clamp} ${load}, ${at};
        ${bytes === 8 ? "mov.b64 {%r0, %r1}, %rd4; not.b64 %rd4, %rd4;" : ""}
        ${bytes < 4 ? "cvt.u32.u16 %r0, %h0; not.b16 %h0, %h0;" : ""}
        sust.b.${geometry}.${type}.${clamp} ${at}, ${store};`;
        return { geometry, bytes, name: `s${bytes}_${clamp}_${geometry}`, read };
      }),
    ),
  );
const PTX = `.version 8.5\n.target sm_80\n.address_size 64\n${[...FETCHES, ...SURFACES]
  .map(({ name, read }) => kernel(name, read))
  .join("\n")}`;

const pick = <T>(next: Next, list: readonly T[]): T => list[next(list.length)]!;
const words = new Uint32Array(1);
const floats = new Float32Array(words.buffer);
const bits = (value: number): number => {
  floats[0] = value;
  return words[0]!;
};

function sizeOf(next: Next, geometry: string): Omit<ArrayOptions, "format"> {
  const size = () => 1 + next(9);
  return {
    width: size(),
    channels: pick(next, [1, 2, 4]),
    ...(geometry.includes("1d") ? {} : { height: size() }),
    ...(geometry === "3d" ? { depth: size() } : {}),
    ...(geometry.startsWith("a") ? { layers: size() } : {}),
  };
}

/** Words of f32 that are near to and far from an image, and some that are no such numbers. */
function coordinates(next: Next, isNormalized: boolean): number {
  if (next(8) === 0)
    return pick(next, [
      ...[Number.NaN, Infinity, -Infinity, 3e38, -3e38, 1e-42, 0, -0, 2 ** 31, -(2 ** 31)].map(bits),
      ...[0xff80_0001, 0xffff_ffff],
    ]);
  const value = ((next(1 << 16) - 20_000) / (1 << 16)) * (isNormalized ? 3 : 16);
  return bits(next(3) === 0 ? Math.round(value * 2) / 2 : value);
}

const randomBytes = (next: Next, count: number) => Uint8Array.from({ length: count }, () => next(256));

it("reads of textures", { timeout: 120_000 }, async () => {
  using interpreter = EmulatedDevice.open({ engine: "interpreter" });
  using translator = EmulatedDevice.open({ engine: "webassembly" });
  const next = numbers(20_240_607);
  const modules = [interpreter, translator].map((device) => device.load(PTX));
  for (let run = 0; run < smoke(500); run++) {
    const { geometry, name } = pick(next, FLAT);
    const size = sizeOf(next, geometry);
    const format = pick(next, ["u8", "s8", "u16", "s16", "f16", "u32", "s32", "f32"] as const);
    const isFloat = format.startsWith("f");
    const readsNormalized = !isFloat && !format.endsWith("32") && next(2) === 0;
    const mode = (): AddressMode => pick(next, ["wrap", "clamp", "mirror", "border"]);
    const normalizedCoordinates = next(2) === 0;
    const options: Omit<TextureOptions, "source"> = {
      addressMode: [mode(), mode(), mode()],
      filter: (isFloat || readsNormalized) && next(3) > 0 ? "linear" : "point",
      normalizedCoordinates,
      readMode: readsNormalized ? "normalized-float" : "element",
      borderColor: [1.5, -7, 3e9, 0.25],
    };
    const isLinear = geometry === "1d" && next(2) === 0;
    const isInteger = name.startsWith("integer");
    const points = Uint32Array.from({ length: 4 * POINTS }, (_, i) => {
      if (i % 4 === 3) return next(4) === 0 ? next(2 ** 30) * 4 : next(10);
      if (isInteger) return next(8) === 0 ? next(2 ** 30) * 4 + 3 : next(14) - 3;
      return coordinates(next, normalizedCoordinates);
    });
    const content = randomBytes(next, 9 * 9 * 9 * 16);
    const results = [];
    for (const module of modules) {
      const { device } = module;
      using array = device.createArray({ ...size, format });
      await array.buffer.copyFrom(content.subarray(0, array.buffer.byteLength));
      const source = isLinear
        ? { buffer: array.buffer, format, channels: size.channels!, width: size.width }
        : array;
      using texture = device.createTexture({
        source,
        ...options,
        ...(isLinear ? { filter: "point" } : {}),
      });
      results.push(await launch(module.kernel(name), texture.handle, points));
    }
    const told = JSON.stringify({ run, name, format, size, options, isLinear });
    expect(results[1], told).toEqual(results[0]);
  }
});

it("reads and writes of surfaces", { timeout: 120_000 }, async () => {
  using interpreter = EmulatedDevice.open({ engine: "interpreter" });
  using translator = EmulatedDevice.open({ engine: "webassembly" });
  const next = numbers(77);
  const modules = [interpreter, translator].map((device) => device.load(PTX));
  for (let run = 0; run < smoke(500); run++) {
    const { geometry, bytes, name } = pick(next, SURFACES);
    const size = sizeOf(next, geometry);
    const format = pick(next, ["u8", "u16", "u32", "f32"] as const);
    const element = (size.channels! * Number(format.slice(1))) / 8;
    if (element * size.width < bytes || (element * size.width) % bytes !== 0) continue;
    const points = Uint32Array.from({ length: 4 * POINTS }, (_, i) => {
      if (next(9) === 0) return next(2 ** 28) * 16;
      return i % 4 === 0 ? (next(12) - 2) * bytes : next(12) - 2;
    });
    const content = randomBytes(next, 9 * 9 * 9 * 16);
    const results = [];
    for (const module of modules) {
      using array: EmulatedArray = module.device.createArray({ ...size, format });
      await array.buffer.copyFrom(content.subarray(0, array.buffer.byteLength));
      using surface = module.device.createSurface(array);
      const read = await launch(module.kernel(name), surface.handle, points);
      results.push([read, [...(await array.buffer.read())]]);
    }
    expect(results[1], JSON.stringify({ run, name, format, size })).toEqual(results[0]);
  }
});

async function launch(
  kernel: ReturnType<ReturnType<EmulatedDevice["load"]>["kernel"]>,
  handle: bigint,
  points: Uint32Array<ArrayBuffer>,
): Promise<readonly number[]> {
  const { device } = kernel.module;
  using from = device.allocate(points.byteLength);
  await from.copyFrom(new Uint8Array(points.buffer));
  using out = device.allocateInt32(points.length);
  await device.stream.run(kernel, { grid: 2, block: POINTS / 2 }, [u64(handle), from, out, f32(0)]);
  return [...(await out.read())];
}

it("reads of cube maps", { timeout: 120_000 }, async () => {
  using interpreter = EmulatedDevice.open({ engine: "interpreter" });
  using translator = EmulatedDevice.open({ engine: "webassembly" });
  const next = numbers(2_718_281);
  const modules = [interpreter, translator].map((device) => device.load(PTX));
  for (let run = 0; run < smoke(200); run++) {
    const { geometry, name } = pick(next, CUBES);
    const isLayered = geometry === "acube";
    const width = 1 + next(6);
    const depth = 6 * (isLayered ? 1 + next(3) : 1);
    const [channels, pitch] = [pick(next, [1, 4]), 4 * width];
    const image: Omit<Image, "address"> = {
      ...({ kind: "texture", dimensions: 2, isCube: true, isLinear: false, isNormalized: true } as const),
      ...{ isLayered, width, height: width, depth, channels, bits: 8, channelKind: "signed" },
      ...{ pitch: channels * pitch, slice: channels * pitch * width, modes: [1, 1, 1] },
      ...{ isFiltered: next(2) === 0, readsNormalized: true, border: [] },
    };
    const points = Uint32Array.from({ length: 4 * POINTS }, (_, i) => {
      if (i % 4 === 3) return next(4) === 0 ? next(2 ** 30) * 4 : next(4);
      // Equal magnitudes, too.
      return next(3) === 0 ? bits(next(5) - 2) : coordinates(next, false);
    });
    const content = randomBytes(next, 18 * 6 * 6 * 4 * 4);
    const results = [];
    for (const module of modules) {
      const memory = module.device.allocate(content.length);
      await memory.copyFrom(content);
      const record = module.device.allocate(IMAGE_BYTES);
      await record.copyFrom(imageRecord({ ...image, address: memory.address }));
      results.push(await launch(module.kernel(name), record.address, points));
    }
    expect(results[1], JSON.stringify({ run, name, image })).toEqual(results[0]);
  }
});
