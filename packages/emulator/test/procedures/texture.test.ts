// Textures and surfaces on both engines, compared with the formulas of the CUDA C++ Programming Guide (Texture Fetching).
import { readFileSync } from "node:fs";
import { f32, s32, u64 } from "@mm-ptx/types/device";
import { afterAll, describe, expect, it } from "vitest";
import { EmulatedDevice, type TextureOptions } from "../../src/index.js";

const PTX = readFileSync(new URL("textures.ptx", import.meta.url), "utf8");
const [W, H] = [8, 5];
const grid = Float32Array.from({ length: W * H }, (_, i) => (i * 37) % 101);

/** A weight as 1.8 fixed point. */
const weight = (fraction: number) => Math.round(fraction * 256) / 256;
const wrap = (i: number, n: number) => ((i % n) + n) % n;
const OUTSIDE: Readonly<Record<string, (i: number, n: number) => number>> = {
  wrap,
  clamp: (i, n) => Math.min(Math.max(i, 0), n - 1),
  mirror: (i, n) => (wrap(i, 2 * n) < n ? wrap(i, 2 * n) : 2 * n - 1 - wrap(i, 2 * n)),
  border: (i, n) => (i < 0 || i >= n ? Number.NaN : i),
};
const at = (mode: string, x: number, y: number) => {
  const [i, j] = [OUTSIDE[mode]!(x, W), OUTSIDE[mode]!(y, H)];
  return Number.isNaN(i + j) ? 7 : grid[j * W + i]!;
};
/** The value at a point in elements. */
function linear(mode: string, x: number, y: number): number {
  const [u, v] = [x - 0.5, y - 0.5];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [a, b] = [weight(u - i), weight(v - j)];
  const top = (1 - a) * at(mode, i, j) + a * at(mode, i + 1, j);
  const bottom = (1 - a) * at(mode, i, j + 1) + a * at(mode, i + 1, j + 1);
  return Math.fround((1 - b) * top + b * bottom);
}

describe.each(["interpreter", "webassembly"] as const)("textures, %s", (engine) => {
  const device = EmulatedDevice.open({ engine });
  afterAll(() => device.dispose());
  const module = device.load(PTX);
  const array = device.createArray({ format: "f32", width: W, height: H });
  const launch = async (
    kernel: string,
    block: number | [number, number, number],
    args: Parameters<typeof device.stream.run>[2],
  ) => {
    await device.stream.run(module.kernel(kernel), { grid: 1, block }, args);
  };

  it.each([
    ["point", "clamp", false],
    ["linear", "clamp", false],
    ["linear", "border", false],
    ["point", "wrap", true],
    ["linear", "wrap", true],
    ["linear", "mirror", true],
    ["point", "mirror", true],
  ] as const)("%s, %s, normalized: %s", async (filter, mode, normalized) => {
    await array.buffer.copyFrom(grid);
    const options: TextureOptions = {
      source: array,
      filter,
      addressMode: mode,
      normalizedCoordinates: normalized,
      borderColor: [7],
    };
    using texture = device.createTexture(options);
    const out = device.allocateFloat32(16 * 12);
    // Steps and offsets that are exact in f32.
    const [sx, sy, ox, oy] = normalized ? [0.15625, 0.1875, -0.75, -0.5] : [0.71875, 0.6875, -1.5, -1.25];
    const args = [u64(texture.handle), out, s32(16), s32(12), f32(sx), f32(sy), f32(ox), f32(oy)];
    await device.stream.run(module.kernel("read2d"), { grid: [1, 12], block: 16 }, args);
    const expected = Array.from({ length: 16 * 12 }, (_, k) => {
      const [x, y] = [(k % 16) * sx + ox, Math.floor(k / 16) * sy + oy];
      const [u, v] = normalized ? [x * W, y * H] : [x, y];
      return filter === "point" ? at(mode, Math.floor(u), Math.floor(v)) : linear(mode, u, v);
    });
    expect([...(await out.read())]).toEqual(expected);
    out.dispose();
  });

  it("integers are read as fractions, and missing channels are 0", async () => {
    using bytes = device.createArray({ format: "s8", channels: 2, width: 4 });
    await bytes.buffer.copyFrom(Int8Array.of(127, -128, -127, 64, 1, 0, 5, 6));
    using texture = device.createTexture({ source: bytes, readMode: "normalized-float" });
    const out = device.allocateFloat32(16);
    await launch("read1d", 4, [u64(texture.handle), out, f32(1), f32(0)]);
    const values = [1, -1, -1, 64 / 127, 1 / 127, 0, 5 / 127, 6 / 127].map(Math.fround);
    const expected = [0, 1, 2, 3].flatMap((i) => [values[2 * i]!, values[2 * i + 1]!, 0, 0]);
    expect([...(await out.read())]).toEqual(expected);
  });

  it("linear memory, three dimensions, layers, gathers, and other levels", async () => {
    const ints = device.allocateInt32(12);
    await ints.copyFrom(Int32Array.from({ length: 12 }, (_, i) => -i * 5));
    using row = device.createTexture({
      source: { buffer: ints, offset: 8, format: "s32", channels: 2, width: 4 },
    });
    const fetched = device.allocateInt32(16);
    await launch("fetch", 8, [u64(row.handle), fetched]);
    expect([...(await fetched.read())]).toEqual([
      0, 0, 0, 0, -10, -15, -20, -25, -30, -35, -40, -45, 0, 0, 0, 0,
    ]);

    using volume = device.createArray({ format: "f16", width: 2, height: 2, depth: 2 });
    // 1, 2, 4, … 128 as f16.
    await volume.buffer.copyFrom(Uint16Array.from({ length: 8 }, (_, i) => (15 + i) << 10));
    using solid = device.createTexture({ source: volume, filter: "linear" });
    const cube = device.allocateFloat32(64);
    await launch("read3d", 64, [u64(solid.handle), cube, f32(0.5)]);
    const along = (k: number) => Math.min(Math.max(k * 0.5 - 0.5, 0), 1);
    const expected = Array.from({ length: 64 }, (_, k) => {
      const [x, y, z] = [along(k % 4), along((k >> 2) % 4), along(k >> 4)];
      return (1 + x) * (1 + 3 * y) * (1 + 15 * z);
    });
    expect([...(await cube.read())]).toEqual(expected);

    using stack = device.createArray({ format: "u16", width: 4, height: 2, layers: 3 });
    await stack.buffer.copyFrom(Uint16Array.from({ length: 24 }, (_, i) => i * 1000));
    using layered = device.createTexture({ source: stack });
    const layers = device.allocate(32);
    await launch("layers", 16, [u64(layered.handle), layers]);
    const found = new Uint16Array((await layers.read()).buffer);
    expect([...found]).toEqual([...found.keys()].map((k) => ((k % 4) + 4 + 8 * Math.min(k >> 2, 2)) * 1000));

    await array.buffer.copyFrom(grid);
    using points = device.createTexture({ source: array });
    const four = device.allocateFloat32(16);
    await launch("gather", 4, [u64(points.handle), four, f32(1.25)]);
    const quads = [0, 1, 2, 3].flatMap((k) => [
      at("clamp", k, 1),
      at("clamp", k + 1, 1),
      at("clamp", k + 1, 0),
      at("clamp", k, 0),
    ]);
    expect([...(await four.read())]).toEqual(quads);

    using even = device.createTexture({ source: array, filter: "linear", normalizedCoordinates: true });
    const levels = device.allocateFloat32(4);
    await launch("lod", 4, [u64(even.handle), levels]);
    const sums = [0, 1, 2, 3].map(
      (k) => linear("clamp", k * 0.125 * W, 0.5 * H) + linear("clamp", k * 0.25 * W, 0.5 * H),
    );
    expect([...(await levels.read())]).toEqual(sums.map(Math.fround));
  });

  it("surfaces read and write", async () => {
    using image = device.createArray({ format: "s32", width: 8, height: 4 });
    const before = Int32Array.from({ length: 32 }, (_, i) => i * 3 + 1);
    await image.buffer.copyFrom(before);
    using surface = device.createSurface(image);
    const out = device.allocateInt32(64);
    await launch("surface", [8, 4, 1], [u64(surface.handle), out]);
    expect([...(await image.buffer.as(Int32Array).read())]).toEqual(
      [...before].map((value) => 2 * value + 1),
    );
    const expected = [...before].flatMap((value, i) => [value, i % 8 < 2 ? 0 : i % 8 >= 6 ? 2 : 0]);
    expect([...(await out.read())]).toEqual(expected);
    using volume = device.createArray({ format: "f32", channels: 4, width: 2, height: 2, depth: 2 });
    await volume.buffer.copyFrom(Float32Array.from({ length: 32 }, (_, i) => i));
    using solid = device.createSurface(volume);
    const sums = device.allocateFloat32(32);
    await launch("surface3", [2, 2, 2], [u64(solid.handle), sums]);
    expect([...(await sums.read())]).toEqual([...Array(32).keys()].map((i) => (i % 4 === 0 ? i + 1 : i)));
    expect([...(await volume.buffer.as(Float32Array).read())]).toEqual(
      [...Array(32).keys()].map((i) => i - (i % 4) + 3 - (i % 4)),
    );
  });

  it.each([false, true])(
    "reads of a freed buffer are found, with the check of memory: %s",
    async (memory) => {
      using other = EmulatedDevice.open({ engine, check: { memory }, allocatedAt: () => [] });
      const buffer = other.allocate(64);
      const texture = other.createTexture({ source: { buffer, format: "f32", width: 16 } });
      buffer.dispose();
      const out = other.allocate(256);
      const running = other.stream.run(other.load(PTX).kernel("read1d"), { grid: 1, block: 8 }, [
        ...[u64(texture.handle), out, f32(1), f32(4)],
      ]);
      if (!memory) await expect(running).rejects.toMatchObject({ code: "USE_AFTER_FREE" });
      else {
        await running;
        expect(
          other.findings.map(({ kind, bytes, address, occurrences }) => ({
            kind,
            bytes,
            address,
            occurrences,
          })),
        ).toEqual([{ kind: "USE_AFTER_FREE", bytes: 4, address: buffer.address + 16n, occurrences: 8 }]);
        expect((await out.read()).every((byte) => byte === 0)).toBe(true);
      }
    },
  );

  it.each([
    ["read1d", 0x7f00_0000_0100n, "OUT_OF_BOUNDS"],
    ["read1d", "2d", "TRAP"],
    ["read1d", "surface", "TRAP"],
    ["surface", "surface", "TRAP"],
  ])("%s with a wrong handle %s fails with %s", async (kernel, what, code) => {
    using other = EmulatedDevice.open({ engine });
    const image = other.createArray({ format: "f32", width: 2, height: 2 });
    const object = what === "2d" ? other.createTexture({ source: image }) : other.createSurface(image);
    const handle = typeof what === "bigint" ? what : object.handle;
    const args =
      kernel === "surface"
        ? [u64(handle), other.allocate(4096)]
        : [u64(handle), other.allocate(4096), f32(1), f32(0)];
    const running = other.stream.run(other.load(PTX).kernel(kernel), { grid: 1, block: 8 }, args);
    await expect(running).rejects.toMatchObject({ code });
  });
});

it("wrong options are refused", () => {
  using device = EmulatedDevice.open();
  const array = device.createArray({ format: "s32", width: 4, height: 4 });
  const buffer = device.allocate(64);
  const wrong: readonly [() => unknown, string][] = [
    [() => device.createArray({ format: "f64" as "f32", width: 4 }), "option `format`"],
    [() => device.createArray({ format: "f32" } as never), "width"],
    [() => device.createArray({ format: "f32", width: 4, channels: 3 as 4 }), "expected 1, 2 or 4, found 3"],
    [() => device.createArray({ format: "f32", width: 4, depth: 2 }), "to have `height` and no `layers`"],
    [() => device.createTexture({ source: array, filter: "linear" }), "found integers"],
    [() => device.createTexture({ source: array, readMode: "normalized-float" }), "found 32"],
    [
      () => device.createTexture({ source: array, addressMode: "clamped" as "clamp" }),
      "option `addressMode`",
    ],
    [
      () => device.createTexture({ source: { buffer, format: "f32", width: 17 } }),
      "rows inside the buffer of 64 bytes",
    ],
    [
      () => device.createTexture({ source: { buffer, offset: 2, format: "f32", width: 4 } }),
      "multiples of 4 bytes",
    ],
    [() => device.createSurface({} as never), "expected an array of this device"],
  ];
  for (const [create, message] of wrong) expect(create).toThrow(message);
  array.dispose();
  expect(() => device.createTexture({ source: array })).toThrow("disposed");
});
