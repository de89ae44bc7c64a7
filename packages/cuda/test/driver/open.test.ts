// Listing devices and opening one. The driver is a fake: this tests the calls that it receives, and says
// nothing about a GPU.

import { describe, expect, it } from "vitest";
import { CudaDevice, f32, u32 } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const MISSING = "/nowhere/libcuda.so.1";

describe("without a driver", () => {
  it("there are no devices", () => {
    expect(CudaDevice.count({ driver: MISSING })).toBe(0);
    expect(CudaDevice.list({ driver: MISSING })).toEqual([]);
  });

  it("opening reports what was tried", () => {
    const error = thrownBy(() => CudaDevice.open(0, { driver: MISSING }));
    expect(error).toMatchObject({ name: "CudaError", code: "UNAVAILABLE", what: "driver" });
    expect((error as Error).message).toContain(MISSING);
  });
});

it.each<[what: string, run: () => unknown, message: string]>([
  ["a negative ordinal", () => CudaDevice.open(-1), "found -1"],
  ["a fraction", () => CudaDevice.open(0.5), "found 0.5"],
  ["null as the ordinal", () => CudaDevice.open(null as never), "found null"],
  [
    "an unknown option",
    () => CudaDevice.open(0, { isolated: true } as never),
    "unknown option `isolated`, did you mean `isolate`?",
  ],
  ["null as options", () => CudaDevice.open(0, null as never), "expected options as an object, found null"],
  [
    "a wrong isolate",
    () => CudaDevice.open(0, { isolate: 1 as never }),
    "option `isolate`: expected a boolean",
  ],
  ["a wrong driver", () => CudaDevice.open(0, { driver: 1 as never }), "expected `driver` as a string"],
  ["a NUL in a path", () => CudaDevice.open(0, { driver: "a\0b" }), "expected `driver` without a NUL"],
  [
    "a timeout without isolation",
    () => CudaDevice.open(0, { timeoutMs: 5 }),
    "expected `isolate: true` with `timeoutMs`",
  ],
  ["a wrong timeout", () => CudaDevice.open(0, { isolate: true, timeoutMs: 0 }), "found 0"],
  ["an option of count", () => CudaDevice.count({ path: "" } as never), "unknown option `path`"],
])("refuses %s", (_, run, message) => {
  expect(thrownBy(run)).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining(message),
  });
});

describe.skipIf(!HAS_FAKE_DRIVER)("with a driver", () => {
  it("lists devices without opening any", () => {
    using fake = new FakeDriver(["devices 3"]);
    expect(CudaDevice.count()).toBe(3);
    const list = CudaDevice.list();
    expect(list.map(({ ordinal, name, arch }) => [ordinal, name, arch])).toEqual([
      [0, "Fake GPU 0", "sm_90"],
      [1, "Fake GPU 1", "sm_90"],
      [2, "Fake GPU 2", "sm_90"],
    ]);
    expect(new Set(list.map(({ uuid }) => uuid)).size).toBe(3);
    expect(fake.calls("cuDevicePrimaryCtxRetain")).toEqual([]);
  });

  it("opens by ordinal and by UUID", async () => {
    using _ = new FakeDriver(["devices 3"]);
    const [, second] = CudaDevice.list();
    await using device = CudaDevice.open(second!.uuid);
    expect(device).toMatchObject({ ordinal: 1, name: "Fake GPU 1", kind: "cuda", isolated: false });
    expect(device.uuid).toBe(second!.uuid);
    expect(thrownBy(() => CudaDevice.open("GPU-nobody"))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(second!.uuid),
    });
    expect(thrownBy(() => CudaDevice.open(3))).toMatchObject({
      code: "INVALID_DEVICE",
      number: 101,
      operation: "cuDeviceGet",
      message: expect.stringContaining("for ordinal 3"),
    });
  });

  it("reports properties and limits in their units", () => {
    const { device } = fakeDevice();
    expect(device.properties).toMatchObject({
      computeCapability: [9, 0],
      multiprocessors: 132,
      totalMemoryBytes: 2 ** 33,
      registersPerBlock: 65536,
      maxGrid: [2147483647, 65535, 65535],
    });
    expect(device.limits).toEqual({
      maxThreadsPerBlock: 1024,
      maxBlock: [1024, 1024, 64],
      maxGrid: [2147483647, 65535, 65535],
      sharedBytesPerBlock: 49152,
      maxSharedBytesPerBlock: 232448,
      warpSize: 32,
    });
    expect(device.arch).toBe("sm_90");
    expect(device.lazyLoading).toBe(true);
    expect(device.memoryInfo()).toEqual({ free: 2 ** 33, total: 2 ** 33 });
  });

  it("exposes the driver's own handles", () => {
    const { device, fake } = fakeDevice();
    const module = device.load(PTX);
    const event = device.createEvent();
    const hex = (handle: bigint) => `0x${handle.toString(16)}`;
    expect(hex(device.context)).toBe(fake.call("cuDevicePrimaryCtxRetain").arguments.context);
    expect(hex(module.handle)).toBe(fake.call("cuModuleLoadDataEx").arguments.module);
    expect(hex(module.kernel("scale").handle)).toBe(fake.call("cuModuleGetFunction").arguments.function);
    expect(hex(event.handle)).toBe(fake.call("cuEventCreate").arguments.event);
    expect(hex(device.stream.handle)).toBe(fake.call("cuStreamCreateWithPriority").arguments.stream);
  });

  it("reports 0 for attributes that an older driver does not know", () => {
    const { device } = fakeDevice({}, ["fail cuDeviceGetAttribute 0 1"]);
    expect(device.properties.clusterLaunch).toBe(0);
    expect(device.arch).toBe("sm_00");
  });

  it.each([
    ["cuInit", 100, "NO_DEVICE", 0],
    ["cuDeviceGetCount", 100, "NO_DEVICE", 0],
    ["cuInit", 803, "SYSTEM_DRIVER_MISMATCH", undefined],
  ] as const)("tells no device from others: %s returns %i", (name, number, code, count) => {
    using _ = new FakeDriver([`fail ${name} 0 ${number}`]);
    if (count === undefined) expect(thrownBy(() => CudaDevice.count())).toMatchObject({ code, number });
    else expect([CudaDevice.count(), CudaDevice.list()]).toEqual([count, []]);
    if (name === "cuInit") expect(thrownBy(() => CudaDevice.open())).toMatchObject({ code, number });
  });

  it("frees what it had opened if the rest fails", async () => {
    using fake = new FakeDriver(["fail cuDeviceGetUuid 0 999"]);
    expect(thrownBy(() => CudaDevice.open())).toMatchObject({
      code: "UNKNOWN",
      operation: "cuDeviceGetUuid",
    });
    await expect.poll(() => fake.calls("cuDevicePrimaryCtxRelease").length).toBe(1);
    fake.expectClean();
  });

  it("works on a driver that lacks many newer functions", async () => {
    const newer = ["cuGetProcAddress", "cuDeviceGetUuid", "cuModuleGetLoadingMode", "cuLaunchKernelEx"];
    const newest = ["cuModuleGetFunctionCount", "cuFuncGetName", "cuFuncGetParamInfo"];
    const { device, fake } = fakeDevice({}, ["version 11020"], [...newer, ...newest]);
    expect([device.uuid, CudaDevice.count(), CudaDevice.list()[0]!.uuid]).toEqual(["", 1, ""]);
    expect(thrownBy(() => CudaDevice.open(""))).toMatchObject({ code: "INVALID_ARGUMENT" });
    using buffer = device.allocateFloat32(4);
    await buffer.copyFrom(Float32Array.of(1, 2, 3, 4));
    const kernel = device.load(PTX).kernel("scale");
    device.stream.launch(kernel, { grid: 1, block: 4 }, [buffer, f32(2), u32(4)]);
    expect(await buffer.read()).toEqual(Float32Array.of(1, 2, 3, 4));
    device.stream.launch(kernel, { grid: 2, block: 4, cooperative: true }, [buffer, f32(2), u32(4)]);
    await expect(device.synchronize()).rejects.toMatchObject({
      code: "FUNCTION_MISSING",
      operation: "cuLaunchKernelEx",
      message: expect.stringContaining("11.6"),
    });
    expect(fake.calls("cuLaunchKernel")).toHaveLength(1);
  });

  it("needs functions only when they are called, and names the version that has them", async () => {
    const { device } = fakeDevice({}, [], ["cuMemPoolCreate", "cuMemGetInfo"]);
    using buffer = device.allocate(16);
    await buffer.fill(1);
    expect(thrownBy(() => device.memoryInfo())).toMatchObject({
      code: "FUNCTION_MISSING",
      operation: "cuMemGetInfo",
      message: expect.stringMatching(/cuMemGetInfo.*3\.2/s),
    });
    expect(thrownBy(() => device.createPool())).toMatchObject({
      code: "FUNCTION_MISSING",
      message: expect.stringMatching(/11\.2/),
    });
  });

  it("reports and enables access to the memory of another device", async () => {
    using fake = new FakeDriver(["devices 2"]);
    await using first = CudaDevice.open(0);
    await using second = CudaDevice.open(1);
    expect(first.canAccessPeer(second)).toBe(true);
    first.enablePeerAccess(second);
    first.enablePeerAccess(second);
    first.disablePeerAccess(second);
    first.disablePeerAccess(second);
    expect(fake.calls("cuCtxEnablePeerAccess").map(({ result }) => result)).toEqual([0, 704]);
    for (const peer of [first, {}, null]) {
      expect(thrownBy(() => first.canAccessPeer(peer as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    const source = second.allocate(64);
    const target = first.allocate(128);
    await target.copyFromPeer(source, { offset: 64 });
    expect(fake.call("cuMemcpyPeerAsync").arguments).toMatchObject({ bytes: "64" });
    using isolated = CudaDevice.open(1, { isolate: true });
    const offset = { offset: 65 };
    for (const copy of [
      () => target.copyFromPeer(source, offset),
      () => target.copyFromPeer(target.part(64)),
      () => target.copyFromPeer(isolated.allocate(4)),
      () => isolated.allocate(4).copyFromPeer(source.part(60)),
    ]) {
      await expect(copy()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

it.skipIf(!HAS_FAKE_DRIVER)("is unusable after disposal, which may be repeated", () => {
  const { device } = fakeDevice();
  device.dispose();
  device.dispose();
  expect(device.disposed).toBe(true);
  for (const run of [
    () => device.memoryInfo(),
    () => device.allocate(1),
    () => device.allocateHost(1),
    () => device.load(""),
    () => device.createStream(),
    () => device.createEvent(),
    () => device.createPool(),
    () => device.context,
  ]) {
    expect(thrownBy(run)).toMatchObject({ code: "DISPOSED" });
  }
});
