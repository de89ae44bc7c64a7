// Launches that only a GPU supports: graphs, cooperative grids, clusters, code from the driver's own
// compiler.
import { u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { CudaDevice, PtxCompiler } from "../../src/index.js";
import { CLUSTER, GRID_BARRIER, STEP } from "./support/kernels.js";
import { onGpu } from "./support/places.js";

const ONE_BLOCK = { grid: 1, block: 32 };

onGpu("launches", () => {
  it("are captured into graphs and replayed", async () => {
    using device = CudaDevice.open(0);
    using stream = device.createStream();
    using data = device.allocateUint32(32);
    const kernel = device.load(STEP).kernel("step");
    await data.fill(0, { stream });
    using graph = stream.capture(() => {
      for (let i = 0; i < 10; i++) stream.launch(kernel, ONE_BLOCK, [data, u32(1), u32(1), u32(32)]);
    });
    expect((await data.read({ stream }))[0]).toBe(0);
    for (let i = 0; i < 100; i++) graph.launch(stream);
    expect(await data.read({ stream })).toEqual(new Uint32Array(32).fill(1000));
  });

  it("of cooperative grids run all their blocks at once", async () => {
    using device = CudaDevice.open(0);
    const kernel = device.load(GRID_BARRIER).kernel("meet");
    const blocks = kernel.maxActiveBlocks(32) * device.properties.multiprocessors;
    using data = device.allocateUint32(2 * blocks);
    using arrived = device.allocateUint32(1);
    await arrived.fill(0);
    device.stream.launch(kernel, { grid: blocks, block: 1, cooperative: true }, [data, arrived]);
    const found = await data.read();
    expect(found.slice(blocks)).toEqual(Uint32Array.from({ length: blocks }, (_, i) => (i + 1) % blocks));
    expect(() =>
      device.stream.launch(kernel, { grid: 2 ** 24, block: 1, cooperative: true }, [data, arrived]),
    ).not.toThrow();
    await expect(device.synchronize()).rejects.toMatchObject({ code: "COOPERATIVE_LAUNCH_TOO_LARGE" });
  });

  it("may have clusters if the device supports them", async () => {
    using device = CudaDevice.open(0);
    if (device.properties.clusterLaunch === 0) {
      // There is nothing to launch, because the PTX needs devices with clusters.
      expect(() => device.load(CLUSTER)).toThrow();
      return;
    }
    using out = device.allocateUint32(8);
    const kernel = device.load(CLUSTER).kernel("rank");
    device.stream.launch(kernel, { grid: 8, block: 32, cluster: 4 }, [out]);
    expect(Array.from(await out.read())).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });

  it("run cubins, and PTX that the driver compiles", async () => {
    using device = CudaDevice.open(0);
    using compiler = new PtxCompiler({ arch: device.arch, cache: false });
    const { cubin } = await compiler.compile(STEP);
    using data = device.allocateUint32(32);
    for (const module of [device.load(cubin), device.load(STEP, { jit: true })]) {
      await data.fill(1, { width: 4 });
      const kernel = module.kernel("step");
      expect(kernel.parameters.map(({ bytes: size }) => size)).toEqual([8, 4, 4, 4]);
      device.stream.launch(kernel, ONE_BLOCK, [data, u32(5), u32(2), u32(32)]);
      expect(await data.read()).toEqual(new Uint32Array(32).fill(7));
    }
    expect(device.load(STEP, { jit: true }).jitLog).toEqual(expect.any(String));
  });

  it("may be 10,000 in one call", async () => {
    using device = CudaDevice.open(0);
    using data = device.allocateUint32(32);
    await data.fill(0);
    const kernel = device.load(STEP).kernel("step");
    const prepared = kernel.prepare(ONE_BLOCK, [data, u32(1), u32(1), u32(32)]);
    for (let i = 0; i < 10_000; i++) device.stream.launch(prepared);
    device.stream.launchMany(Array.from({ length: 10_000 }, () => prepared));
    expect((await data.read())[31]).toBe(20_000);
  });
});
