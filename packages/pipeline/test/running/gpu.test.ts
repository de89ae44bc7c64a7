// The calls that packs make of a GPU, over a fake driver, which computes nothing.
import { parsePtx } from "@mm-ptx/inject";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { HAS_FAKE_DRIVER } from "../../../cuda/test/driver/support/fake-driver.js";
import { input, output, outputHash, outputs, type PackKind } from "../../src/index.js";
import { PlanReader } from "../../src/launch/resolved.js";
import { DeviceRunner } from "../../src/running/device-runner.js";
import { GpuDevice } from "../../src/running/recovery.js";
import { compiled, fakeGpu, gpuPipeline, launchesOf, workOf } from "../support/gpu.js";
import { collect, KERNEL_TEXT, LENGTH, launch, times, X } from "../support/kernel.js";

const PROGRAMS = [1, 2, 3].map(times);
/** The bytes between the outputs of two programs. */
const STRIDE = 256;

const copied = ["cuMemsetD8Async", "cuLaunchKernel", "cuMemcpyDtoHAsync"];

describe.skipIf(!HAS_FAKE_DRIVER)("packs on a GPU", () => {
  it("of alternatives are one launch, between the initial contents of outputs and reading", async () => {
    const { fake, device } = fakeGpu();
    const pipeline = gpuPipeline({ device, pack: 3 });
    const results = await collect(pipeline.run([...PROGRAMS, ...[4, 5].map(times)]));
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill("ok"));
    const calls = workOf(fake.calls());
    expect(calls.map(({ name }) => name)).toEqual(["cuMemcpyHtoDAsync", ...copied, ...copied]);
    const [first, second] = launchesOf(calls);
    expect(first).toMatchObject({ grid: "2,1,3", shared: "0", length: LENGTH, first: 0 });
    expect(second).toEqual({ ...first, grid: "2,1,2" });
    const filled = fake.calls("cuMemsetD8Async").map(({ arguments: { count } }) => Number(count));
    // The part of the last program ends with its output.
    expect(filled).toEqual([2 * STRIDE + X.byteLength, STRIDE + X.byteLength]);
    const read = fake.calls("cuMemcpyDtoHAsync").map(({ arguments: { bytes } }) => Number(bytes));
    expect(read).toEqual(filled);
  });

  it("of kernels are a launch for each, with its own outputs", async () => {
    const { fake, device } = fakeGpu();
    const pipeline = gpuPipeline({ device, pack: { kind: "kernels", size: 3 } });
    expect(await collect(pipeline.run(PROGRAMS))).toHaveLength(3);
    const launches = launchesOf(fake.calls());
    expect(launches.map(({ grid }) => grid)).toEqual(["2,1,1", "2,1,1", "2,1,1"]);
    expect(new Set(launches.map(({ out }) => out)).size).toBe(3);
    expect(fake.calls("cuModuleLoadDataEx")).toHaveLength(1);
  });

  it("of one program load a module for each", async () => {
    const { fake, device } = fakeGpu();
    const pipeline = gpuPipeline({ device, pack: "none" });
    await collect(pipeline.run(PROGRAMS));
    await device.synchronize();
    const launches = launchesOf(fake.calls());
    expect(new Set(launches.map(({ out }) => out)).size).toBe(1);
    expect(fake.calls("cuModuleLoadDataEx")).toHaveLength(3);
    expect(fake.calls("cuModuleUnload")).toHaveLength(3);
  });

  it("copy what outputs contain before the launch", async () => {
    const { fake, device } = fakeGpu();
    const initial = Float32Array.from({ length: LENGTH }, (_, i) => i);
    const pipeline = gpuPipeline({
      device,
      pack: 3,
      launch: () => ({
        ...launch(),
        args: [input(X), output(Float32Array, LENGTH, { initial }), u32(LENGTH)],
      }),
    });
    const results = await collect(pipeline.run(PROGRAMS));
    // The fake driver runs no kernels, so that the contents stay.
    for (const { outputs } of results) expect(outputs).toEqual([initial]);
    const names = workOf(fake.calls()).map(({ name }) => name);
    expect(names).toEqual(["cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync", "cuLaunchKernel", "cuMemcpyDtoHAsync"]);
  });

  it("may use more shared memory than a launch has without asking, together with what the kernel declares", async () => {
    const { fake, device } = fakeGpu();
    const kernel = parsePtx(
      KERNEL_TEXT.replace(
        ".reg .pred %p<2>;",
        ".shared .align 4 .b8 own[20480];\n\t.reg .pred %p<2>;\n\tst.shared.u32 [own], 1;",
      ),
    );
    const pipeline = gpuPipeline({
      device,
      kernel,
      pack: 3,
      launch: () => ({ ...launch(), sharedBytes: 40_960 }),
    });
    const results = await collect(pipeline.run(PROGRAMS));
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    expect(fake.call("cuFuncSetAttribute").arguments).toMatchObject({ value: "40960" });
    expect(launchesOf(fake.calls())[0]).toMatchObject({ shared: "40960" });
  });

  it("that do not fit a launch plan end the run", async () => {
    const { device } = fakeGpu();
    const pipeline = gpuPipeline({ device, launch: () => ({ ...launch(), sharedBytes: 300_000 }) });
    await expect(collect(pipeline.run(PROGRAMS))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("300000"),
    });
  });

  it.each(["alternatives", "kernels", "single"] as readonly PackKind[])(
    "leave nothing on the GPU when a pipeline of %s is disposed",
    async (kind) => {
      const { fake, device } = fakeGpu();
      const { free } = device.memoryInfo();
      for (const read of [outputs(), outputHash()]) {
        const pipeline = gpuPipeline({ device, pack: { kind, size: kind === "single" ? 1 : 2 }, read });
        expect(await collect(pipeline.run(PROGRAMS))).toHaveLength(3);
        pipeline.dispose();
      }
      await device.synchronize();
      expect(device.memoryInfo().free).toBe(free);
      expect(fake.calls("cuModuleUnload")).toHaveLength(fake.calls("cuModuleLoadDataEx").length);
    },
  );

  it("leave nothing on the GPU when the pipeline is disposed while one runs", async () => {
    const { fake, device } = fakeGpu();
    const { free } = device.memoryInfo();
    const pipeline = gpuPipeline({ device, pack: 1 });
    const run = pipeline.run(PROGRAMS);
    await run.next();
    pipeline.dispose();
    await expect(collect(run)).rejects.toMatchObject({ code: "DISPOSED" });
    await expect.poll(() => device.memoryInfo().free).toBe(free);
    await device.synchronize();
    expect(fake.calls("cuModuleUnload")).toHaveLength(fake.calls("cuModuleLoadDataEx").length);
  });

  it("end before their memory is freed", async () => {
    const { device } = fakeGpu();
    const { free } = device.memoryInfo();
    const source = await compiled(times(2));
    const plan = new PlanReader(launch, device, 3).plan(1);
    const runner = new DeviceRunner(new GpuDevice(device, undefined, false), { reading: outputs() });
    const work = {
      packing: { kind: "single" },
      entries: ["scale"],
      hasFirst: false,
      restoresInputs: false,
      count: 1,
    } as const;
    const running = runner.run({ ...work, source, plan });
    runner.dispose();
    expect(await running).toMatchObject({ ok: true });
    await device.synchronize();
    expect(device.memoryInfo().free).toBe(free);
    expect(await runner.run({ ...work, source, plan })).toMatchObject({ ok: false, code: "DISPOSED" });
  });

  it("leave nothing behind, however many there are", async () => {
    const { fake, device } = fakeGpu();
    const source = await compiled(times(2));
    const plan = new PlanReader(launch, device, 3).plan(1);
    const runner = new DeviceRunner(new GpuDevice(device, undefined, false), { reading: outputs() });
    const work = {
      source,
      packing: { kind: "single" },
      hasFirst: false,
      count: 1,
      restoresInputs: false,
      plan,
    } as const;
    const run = async (): Promise<void> => {
      expect(await runner.run({ ...work, entries: ["scale"] })).toMatchObject({ ok: true });
    };
    await run();
    const { free } = device.memoryInfo();
    fake.forget();
    const packs = smoke(10_000);
    for (let i = 0; i < packs; i++) await run();
    await device.synchronize();
    expect(device.memoryInfo().free).toBe(free);
    expect(fake.calls("cuModuleLoadDataEx")).toHaveLength(packs);
    expect(fake.calls("cuModuleUnload")).toHaveLength(packs);
    expect(fake.calls("cuMemAlloc")).toEqual([]);
    runner.dispose();
  });
});
