// Launches: every kind of argument arrives unchanged, and shapes and dynamic shared memory are as requested.
import {
  bf16,
  bytes,
  type Device,
  f16,
  f32,
  f64,
  s8,
  s16,
  s32,
  s64,
  type TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { echo, SAXPY, STRUCT, TURN } from "./support/kernels.js";
import { onDevices } from "./support/places.js";

/** Arguments with the types of their parameters; PTX has no parameters of f16. */
const ARGUMENTS: readonly (readonly [type: string, argument: TypedArgument])[] = [
  ["u8", u8(200)],
  ["s8", s8(-100)],
  ["u16", u16(60_000)],
  ["s16", s16(-30_000)],
  ["u32", u32(4_000_000_000)],
  ["s32", s32(-2_000_000_000)],
  ["u64", u64(2n ** 63n + 1n)],
  ["s64", s64(-(2n ** 62n))],
  ["b16", f16(-1.5)],
  ["b16", bf16(3.25)],
  ["f32", f32(-1.1)],
  ["f64", f64(Math.PI)],
];

/** The bytes of each argument, as a kernel that writes its arguments returns them. */
async function echoed(device: Device, chosen: typeof ARGUMENTS): Promise<Uint8Array[]> {
  using out = device.allocate(16 * chosen.length);
  const kernel = device.load(echo(chosen.map(([type]) => type))).kernel("echo");
  device.stream.launch(kernel, { grid: 1, block: 1 }, [out, ...chosen.map(([, argument]) => argument)]);
  const found = await out.read();
  return chosen.map(([, { bytes }], i) => found.slice(16 * i, 16 * i + bytes.length));
}

onDevices("launches", ({ open }) => {
  it("pass every type of argument, in any order", async () => {
    using device = open();
    for (const chosen of [ARGUMENTS, [...ARGUMENTS].reverse()]) {
      expect(await echoed(device, chosen)).toEqual(chosen.map(([, { bytes }]) => bytes));
    }
  });

  it("pass structs by value", async () => {
    using device = open();
    using out = device.allocateUint32(3);
    const given = Uint32Array.of(1, 2 ** 31, 0xdeadbeef);
    const kernel = device.load(STRUCT).kernel("keep");
    device.stream.launch(kernel, { grid: 1, block: 1 }, [out, bytes(given)]);
    expect(await out.read()).toEqual(given);
  });

  it("compute a result for each thread", async () => {
    using device = open();
    const n = 10_000;
    using x = device.allocateFloat32(n);
    using y = device.allocateFloat32(n);
    await x.copyFrom(Float32Array.from({ length: n }, (_, i) => i));
    await y.copyFrom(Float32Array.from({ length: n }, (_, i) => -i));
    const kernel = device.load(SAXPY).kernel("saxpy");
    device.stream.launch(kernel, { grid: Math.ceil(n / 128), block: 128 }, [x, y, f32(3), u32(n)]);
    expect(await y.read()).toEqual(Float32Array.from({ length: n }, (_, i) => 2 * i));
  });

  it("have the requested dynamic shared memory", async () => {
    using device = open();
    const kernel = device.load(TURN).kernel("turn");
    const most = device.limits.maxSharedBytesPerBlock - kernel.attributes.sharedBytes;
    kernel.setDynamicShared(most);
    using data = device.allocateUint32(2 * 256);
    for (const sharedBytes of [1024, most]) {
      await data.copyFrom(Uint32Array.from({ length: 512 }, (_, i) => i));
      device.stream.launch(kernel, { grid: 2, block: 256, sharedBytes }, [data]);
      expect(await data.read()).toEqual(
        Uint32Array.from({ length: 512 }, (_, i) => (i < 256 ? 255 - i : 767 - i)),
      );
    }
  });

  it("go up to the limits of the device", async () => {
    using device = open();
    const { maxThreadsPerBlock, maxBlock } = device.limits;
    const kernel = device.load(SAXPY).kernel("saxpy");
    using x = device.allocateFloat32(maxThreadsPerBlock);
    using y = device.allocateFloat32(maxThreadsPerBlock);
    await x.fill(0);
    await y.fill(0);
    const args = [x, y, f32(1), u32(maxThreadsPerBlock)];
    device.stream.launch(kernel, { grid: 1, block: maxThreadsPerBlock }, args);
    await device.synchronize();
    for (const block of [maxThreadsPerBlock + 1, [1, 1, maxBlock[2] + 1] as const]) {
      expect(() => device.stream.launch(kernel, { grid: 1, block }, args)).toThrow(/expected .*found/);
    }
    // A refused launch does no harm.
    await device.synchronize();
  });

  it("are prepared once and launched often", async () => {
    using device = open();
    using x = device.allocateFloat32(32);
    using y = device.allocateFloat32(32);
    await x.copyFrom(new Float32Array(32).fill(1));
    await y.fill(0);
    const prepared = device
      .load(SAXPY)
      .kernel("saxpy")
      .prepare({ grid: 1, block: 32 }, [x, y, f32(1), u32(32)]);
    for (let i = 0; i < 100; i++) device.stream.launch(prepared);
    device.stream.launchMany(Array.from({ length: 1000 }, () => prepared));
    expect(await y.read()).toEqual(new Float32Array(32).fill(1100));
  });
});
