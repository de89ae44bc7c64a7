// Launches over a fake driver: its arguments, byte for byte, and the launches that are rejected before it is called.

import { describe, expect, it } from "vitest";
import { bf16, bytes, f16, f32, f64, PtxCompiler, s8, s16, u8, u16, u32, u64 } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);
const ONE = { grid: 1, block: 1 } as const;

const hexOf = (address: bigint): string => {
  const word = Buffer.alloc(8);
  word.writeBigUInt64LE(address);
  return word.toString("hex");
};

function setUp(options = {}) {
  const { device, fake } = fakeDevice(options);
  return { device, fake, module: device.load(PTX), stream: device.stream };
}

suite("a launch", () => {
  it("passes grid, block, shared memory and parameters", async () => {
    const { device, fake, module, stream } = setUp();
    using buffer = device.allocateFloat32(4);
    const shape = { grid: [2, 3, 4], block: [8, 4], sharedBytes: 1024 } as const;
    stream.launch(module.kernel("scale"), shape, [buffer, f32(2), u32(7)]);
    await stream.synchronize();
    expect(fake.call("cuLaunchKernel").arguments).toMatchObject({
      grid: "2,3,4",
      block: "8,4,1",
      shared: "1024",
      stream: `0x${stream.handle.toString(16)}`,
      parameters: `${hexOf(buffer.address)}0000004007000000`,
    });
  });

  it("of a clone of a compiled result passes what one of the result itself passes", async () => {
    const { device, fake } = fakeDevice();
    using compiler = new PtxCompiler({ arch: "sm_90", workers: 1 });
    const result = await compiler.compile(PTX);
    using buffer = device.allocateFloat32(4);
    for (const each of [result, structuredClone(result)]) {
      using module = device.load(each);
      device.stream.launch(module.kernel("scale"), ONE, [buffer, f32(2), u32(7)]);
      await device.stream.synchronize();
    }
    const launches = fake.calls("cuLaunchKernel").map((call) => call.arguments.parameters);
    expect(launches).toEqual(Array(2).fill(`${hexOf(buffer.address)}0000004007000000`));
  });

  it("packs every type at its offset", async () => {
    const { fake, module, stream } = setUp();
    const struct = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i);
    stream.launch(module.kernel("typed"), ONE, [
      u8(0xfe),
      s16(-2),
      f16(1),
      u64(0x0123456789abcdefn),
      f64(1),
      bytes(struct),
    ]);
    await stream.synchronize();
    expect(fake.call("cuLaunchKernel").arguments.parameters).toBe(
      `fe00feff003c0000efcdab8967452301000000000000f03f${Buffer.from(struct).toString("hex")}`,
    );
  });

  it("without parameters passes none", async () => {
    const { fake, module, stream } = setUp();
    stream.launch(module.kernel("nothing"), ONE, []);
    await stream.synchronize();
    expect(fake.call("cuLaunchKernel").arguments.parameters ?? "").toMatch(/^-?$/);
  });

  it("may be cooperative, and in clusters", async () => {
    const { fake, module, stream } = setUp();
    const kernel = module.kernel("nothing");
    stream.launch(kernel, { grid: 8, block: 32, cooperative: true }, []);
    stream.launch(kernel, { grid: [8, 4], block: 32, cluster: [4, 2] }, []);
    await stream.synchronize();
    const [cooperative, clustered] = fake.calls("cuLaunchKernelEx").map((call) => call.arguments);
    expect(cooperative).toMatchObject({ grid: "8,1,1", cooperative: "1" });
    expect(clustered).toMatchObject({ grid: "8,4,1", cluster: "4,2,1" });
  });

  it("in non-portable clusters enables them once", async () => {
    const { fake, module, stream } = setUp();
    const kernel = module.kernel("nothing");
    for (let i = 0; i < 2; i++) stream.launch(kernel, { grid: 16, block: 32, cluster: 16 }, []);
    await stream.synchronize();
    expect(fake.call("cuFuncSetAttribute").arguments).toMatchObject({ attribute: "14", value: "1" });
    expect(fake.calls("cuLaunchKernelEx")).toHaveLength(2);
  });

  it("that the device does not support is refused", () => {
    const { device } = fakeDevice({}, ["attribute 95 0", "attribute 120 0"]);
    const kernel = device.load(PTX).kernel("nothing");
    for (const options of [{ cooperative: true }, { cluster: 1 }]) {
      expect(thrownBy(() => kernel.prepare({ ...ONE, ...options }, []))).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/expected a device with (clusters|cooperative launches)/),
      });
    }
  });

  it("that is prepared keeps its arguments on any stream", async () => {
    const { device, fake, module } = setUp();
    using buffer = device.allocate(64);
    using other = device.createStream();
    const part = buffer.part(16);
    const prepared = module.kernel("scale").prepare({ grid: 1, block: 32 }, [part, f32(1), u32(1)]);
    module.kernel("scale").prepare({ grid: 2, block: 32 }, [buffer, f32(2), u32(2)]);
    device.stream.launch(prepared);
    other.launch(prepared);
    await device.synchronize();
    const calls = fake.calls("cuLaunchKernel").map((call) => call.arguments);
    expect(calls.map(({ stream }) => stream)).toEqual(
      [device.stream, other].map(({ handle }) => `0x${handle.toString(16)}`),
    );
    for (const { parameters } of calls) expect(parameters).toBe(`${hexOf(part.address)}0000803f01000000`);
    part.dispose();
    expect(thrownBy(() => device.stream.launch(prepared))).toMatchObject({ code: "DISPOSED" });
  });

  it("of many prepared launches is one call, in order, also with duplicates", async () => {
    const { device, fake, module, stream } = setUp();
    using buffer = device.allocate(64);
    const scale = module.kernel("scale");
    const prepared = [1, 2, 3].map((n) => scale.prepare(ONE, [buffer, f32(0), u32(n)]));
    const nothing = module.kernel("nothing").prepare(ONE, []);
    stream.launchMany([...prepared, nothing, prepared[0]!]);
    stream.launchMany([]);
    await stream.synchronize();
    const counts = fake
      .calls("cuLaunchKernel")
      .map((call) => Buffer.from(call.arguments.parameters ?? "", "hex"))
      .map((block) => (block.length < 16 ? 0 : block.readUInt32LE(12)));
    expect(counts).toEqual([1, 2, 3, 0, 1]);
  });
});

suite("is refused before the driver is asked:", () => {
  it.each<[what: string, options: object, message: string]>([
    ["no grid", { block: 1 }, "expected a whole number from 1 to 2147483647 as grid.x, found undefined"],
    ["a grid of nothing", { grid: 0, block: 1 }, "as grid.x, found 0"],
    ["a grid too high", { grid: [1, 65536], block: 1 }, "from 1 to 65535 as grid.y, found 65536"],
    ["four directions", { grid: [1, 1, 1, 1], block: 1 }, "as a number, or as 1 to 3 of them, found 4"],
    ["a fraction", { grid: 1.5, block: 1 }, "found 1.5"],
    ["too many threads", { grid: 1, block: [32, 33] }, "at most 1024 threads in a block, found 32 x 33 x 1"],
    ["a block too deep", { grid: 1, block: [1, 1, 65] }, "from 1 to 64 as block.z, found 65"],
    [
      "too much shared memory",
      { ...ONE, sharedBytes: 49153 },
      "at most 49152 bytes of dynamic shared memory",
    ],
    ["negative shared memory", { ...ONE, sharedBytes: -1 }, "`sharedBytes` as a whole number, found -1"],
    ["an unknown option", { ...ONE, shared: 1 }, "unknown option `shared`"],
    ["a cluster that does not fit", { grid: 3, block: 1, cluster: 2 }, "3 blocks in clusters of 2 along x"],
    ["a cluster too large", { grid: 32, block: 1, cluster: 32 }, "from 1 to 16 as cluster.x, found 32"],
    [
      "a cluster of too many",
      { grid: [8, 4], block: 1, cluster: [8, 4] },
      "at most 16 blocks in a cluster, found 32",
    ],
    ["a wrong cooperative", { ...ONE, cooperative: 1 }, "option `cooperative`: expected a boolean, found 1"],
    ["no options", null as never, "expected options as an object, found null"],
  ])("%s", (_, options, message) => {
    const { fake, module, stream } = setUp();
    const error = { code: "INVALID_ARGUMENT", message: expect.stringContaining(message) };
    const kernel = module.kernel("nothing");
    expect(thrownBy(() => stream.launch(kernel, options as never, []))).toMatchObject(error);
    expect(thrownBy(() => kernel.prepare(options as never, []))).toMatchObject(error);
    expect(fake.calls("cuLaunchKernel")).toEqual([]);
  });

  it("a block that differs from `.reqntid`", () => {
    const { module } = setUp();
    const kernel = module.kernel("required");
    kernel.prepare({ grid: 1, block: 64 }, []);
    expect(thrownBy(() => kernel.prepare({ grid: 1, block: 32 }, []))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "expected a block of 64 x 1 x 1 as `.reqntid` of kernel `required` says, found 32 x 1 x 1",
    });
  });

  it("arguments of other types", () => {
    const { device, module, stream } = setUp();
    using buffer = device.allocate(4);
    const scale = module.kernel("scale");
    const wrong: [args: readonly unknown[], message: string][] = [
      [[buffer, f32(1)], "expected 3 arguments for kernel `scale`, found 2"],
      [
        [f32(1), f32(1), u32(1)],
        "expected a buffer or u64 as argument 1 of kernel `scale` (`out`), found f32",
      ],
      [[buffer, u32(1), u32(1)], "expected f32 as argument 2 of kernel `scale` (`factor`), found u32"],
      [[buffer, f64(1), u32(1)], "found f64"],
      [[buffer, bf16(1), u32(1)], "found bf16"],
      [[buffer, f32(1), u16(1)], "expected u32 as argument 3 of kernel `scale` (`n`), found u16"],
      [[buffer, f32(1), s8(1)], "found s8"],
      [[buffer, f32(1), buffer], "found a buffer"],
      [[buffer, f32(1), bytes(new Uint8Array(3))], "found 3 bytes"],
    ];
    for (const [args, message] of wrong) {
      const error = { code: "INVALID_ARGUMENT", message: expect.stringContaining(message) };
      expect(thrownBy(() => stream.launch(scale, ONE, args as never))).toMatchObject(error);
    }
    for (const argument of [1, 1n, "1", null, undefined, new Float32Array(1), {}]) {
      expect(thrownBy(() => stream.launch(scale, ONE, [buffer, argument as never, u32(1)]))).toBeInstanceOf(
        TypeError,
      );
    }
    expect(thrownBy(() => stream.launch(scale, ONE, undefined as never))).toMatchObject({
      name: "CudaError",
      code: "INVALID_ARGUMENT",
      message: "expected an array of arguments for kernel `scale`, found undefined",
    });
  });

  it("objects of another device, disposed objects, and values that are not kernels", () => {
    const first = setUp();
    const second = setUp();
    const kernel = first.module.kernel("scale");
    const foreign = second.device.allocate(4);
    const gone = first.device.allocate(4);
    gone.dispose();
    const launch = (argument: unknown) => () =>
      first.stream.launch(kernel, ONE, [argument as never, f32(1), u32(1)]);
    expect(thrownBy(launch(foreign))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "expected a buffer of this device, found one of another",
    });
    expect(thrownBy(launch(gone))).toMatchObject({ code: "DISPOSED" });
    expect(thrownBy(() => second.stream.launch(kernel, ONE, []))).toMatchObject({
      message: "expected a kernel of this device, found one of another",
    });
    const prepared = first.module.kernel("nothing").prepare(ONE, []);
    expect(thrownBy(() => second.stream.launch(prepared))).toMatchObject({
      message: "expected a launch of this device, found one of another",
    });
    for (const other of [null, {}, "scale"]) {
      expect(thrownBy(() => first.stream.launch(other as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(thrownBy(() => first.stream.launchMany(prepared as never))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(thrownBy(() => first.stream.launchMany([prepared, {} as never]))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});
