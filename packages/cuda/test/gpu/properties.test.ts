// The properties of a GPU, and features that only a GPU has: pools, occupancy, peers.
import { expect, it } from "vitest";
import { ARCHITECTURES } from "../../../ptx/dist/index.js";
import { CudaDevice, capabilities } from "../../src/index.js";
import { SAXPY } from "./support/kernels.js";
import { onGpu } from "./support/places.js";

onGpu("devices", () => {
  it("are listed with their properties", () => {
    const devices = CudaDevice.list();
    expect(devices).toHaveLength(CudaDevice.count());
    for (const { name, uuid, arch, properties } of devices) {
      expect(name).not.toBe("");
      expect(uuid).toMatch(/^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(ARCHITECTURES.map((each) => each.name)).toContain(arch);
      expect(properties.warpSize).toBe(32);
      for (const name of [
        "multiprocessors",
        "l2CacheBytes",
        "registersPerBlock",
        "totalMemoryBytes",
      ] as const) {
        expect([name, properties[name]]).toEqual([name, expect.any(Number)]);
        expect(properties[name]).toBeGreaterThan(0);
      }
    }
  });

  it("are those that `capabilities` reports for the driver", () => {
    const { version, devices, problem } = capabilities().driver;
    expect(version).toMatch(/^\d+\.\d+$/);
    expect(problem).toBeUndefined();
    expect(devices).toEqual(CudaDevice.list());
  });

  it("are opened by ordinal and by UUID", () => {
    const [first] = CudaDevice.list();
    using byNumber = CudaDevice.open(0);
    using byUuid = CudaDevice.open(first!.uuid);
    expect([byNumber.uuid, byUuid.uuid]).toEqual([first!.uuid, first!.uuid]);
    expect(() => CudaDevice.open(CudaDevice.count())).toThrowError(
      expect.objectContaining({ code: "INVALID_DEVICE" }),
    );
  });

  it("have pools, whose memory is reused in the order of a stream", async () => {
    using device = CudaDevice.open(0);
    using pool = device.createPool({ releaseThreshold: 2 ** 24 });
    for (let i = 0; i < 20; i++) {
      const buffer = pool.allocate(2 ** 20);
      await buffer.fill(i);
      expect((await buffer.read())[2 ** 19]).toBe(i);
      buffer.dispose();
    }
    await device.synchronize();
    expect(pool.usedBytes).toBe(0);
    expect(pool.reservedBytes).toBeLessThan(20 * 2 ** 20);
  });

  it("report how many blocks of a kernel fit", () => {
    using device = CudaDevice.open(0);
    const kernel = device.load(SAXPY).kernel("saxpy");
    const { maxThreadsPerMultiprocessor, maxBlocksPerMultiprocessor } = device.properties;
    expect(kernel.maxActiveBlocks(256)).toBe(
      Math.min(maxThreadsPerMultiprocessor / 256, maxBlocksPerMultiprocessor),
    );
    const { block, grid } = kernel.suggestedBlockSize();
    expect(block % 32).toBe(0);
    expect(grid).toBeGreaterThan(0);
    expect(kernel.attributes.registers).toBeGreaterThan(0);
  });

  it("copy to each other if there are two", async () => {
    if (CudaDevice.count() < 2) {
      expect(() => CudaDevice.open(1)).toThrowError(expect.objectContaining({ code: "INVALID_DEVICE" }));
      return;
    }
    using first = CudaDevice.open(0);
    using second = CudaDevice.open(1);
    const values = Uint32Array.from({ length: 1000 }, (_, i) => i * i);
    using from = first.allocateUint32(1000);
    using to = second.allocateUint32(1000);
    await from.copyFrom(values);
    await to.copyFromPeer(from);
    expect(await to.read()).toEqual(values);
    if (!second.canAccessPeer(first)) return;
    second.enablePeerAccess(first);
    await to.fill(0);
    await to.copyFromPeer(from);
    expect(await to.read()).toEqual(values);
    second.disablePeerAccess(first);
  });

  it("allocate more than 4 GiB in one buffer", async () => {
    using device = CudaDevice.open(0);
    const bytes = 2 ** 32 + 4096;
    if (device.memoryInfo().total < bytes) {
      expect(() => device.allocate(bytes)).toThrowError(expect.objectContaining({ code: "OUT_OF_MEMORY" }));
      return;
    }
    using buffer = device.allocate(bytes);
    const mark = Uint8Array.of(1, 2, 3, 4);
    await buffer.copyFrom(mark, { offset: 2 ** 32 + 1 });
    await buffer.part(0, 8).fill(9);
    const found = new Uint8Array(4);
    await buffer.copyTo(found, { offset: 2 ** 32 + 1 });
    expect(found).toEqual(mark);
  });
});
