// Failures of a GPU, over a fake driver that fails as it is told: the pack is split, the device recovers, and everyone else's results come.
import { CudaDevice } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { HAS_FAKE_DRIVER } from "../../../cuda/test/driver/support/fake-driver.js";
import { input, output, type PipelineError, type PipelineResult, slices } from "../../src/index.js";
import { fakeGpu, gpuCompiler, gpuPipeline, launchesOf, watched } from "../support/gpu.js";
import { collect, KERNEL_TEXT, LENGTH, launch, times, X } from "../support/kernel.js";

const PROGRAMS = [1, 2, 3, 4].map(times);
const statuses = (results: readonly PipelineResult[]): string[] => results.map(({ status }) => status);
const OK = ["ok", "ok", "ok", "ok"];

/** The results of a run, and the error that ended it. */
async function untilError(results: AsyncIterable<PipelineResult>) {
  const all: PipelineResult[] = [];
  try {
    for await (const result of results) all.push(result);
  } catch (error) {
    return { all, error };
  }
  return { all, error: undefined };
}

describe.skipIf(!HAS_FAKE_DRIVER)("a launch that a GPU refuses", () => {
  it("fails alone in a pack of kernels, whose failure names it", async () => {
    // After the first four launches come those of the three others.
    const { fake, device } = fakeGpu({}, ["fail cuLaunchKernel 2 701", "fail cuLaunchKernel 8 701"]);
    const pipeline = gpuPipeline({ device, pack: { kind: "kernels", size: 4 } });
    const results = await collect(pipeline.run(PROGRAMS, { ordered: true }));
    expect(statuses(results)).toEqual(["ok", "LAUNCH_OUT_OF_RESOURCES", "ok", "ok"]);
    expect(pipeline.stats).toMatchObject({ packs: 3, splits: 1 });
    expect(launchesOf(fake.calls())).toHaveLength(8);
    // Nothing was lost with it.
    expect(fake.calls("cuDevicePrimaryCtxRetain")).toHaveLength(1);
  });

  it.each([
    ["with too many registers fails alone", ["attribute 12 8192"], "LAUNCH_OUT_OF_RESOURCES"],
    ["whose threads it limits itself ends the run", [], "INVALID_ARGUMENT"],
  ] as const)("of a kernel %s", async (_, orders, code) => {
    // The fake driver knows no other limit of a kernel.
    const kernel = parsePtx(KERNEL_TEXT.replace("\n)\n{", "\n)\n.maxntid 512\n{"));
    const { device } = fakeGpu({}, orders);
    const pipeline = gpuPipeline({
      ...{ device, kernel },
      pack: { kind: "kernels", size: 2 },
      launch: () => ({ ...launch(), block: 1024 }),
    });
    const { all, error } = await untilError(pipeline.run(PROGRAMS.slice(0, 2)));
    expect([...statuses(all), (error as PipelineError | undefined)?.code]).toEqual(
      code === "INVALID_ARGUMENT" ? [code] : [code, code, undefined],
    );
  });
});

describe.skipIf(!HAS_FAKE_DRIVER)("an isolated GPU", () => {
  it.each(["alternatives", "kernels"] as const)(
    "that loses its context in a pack of %s starts again, and the parts of the pack run",
    async (kind) => {
      const { fake, device } = fakeGpu({ isolate: true }, ["sticky 700 1"]);
      const compiler = watched(gpuCompiler(), (job) => {
        if (job === 2) fake.order();
      });
      const pipeline = gpuPipeline({ device, compiler, pack: { kind, size: 4 } });
      const results = await collect(pipeline.run(PROGRAMS, { ordered: true }));
      expect(statuses(results)).toEqual(OK);
      expect(pipeline.stats).toMatchObject({ packs: 3, splits: 1 });
      expect(fake.calls("cuDevicePrimaryCtxRetain")).toHaveLength(2);
      // Inputs are uploaded again.
      expect(fake.calls("cuMemcpyHtoDAsync")).toHaveLength(2);
    },
  );

  it.each([
    // Each process breaks at its third launch: the pack itself, programs 2 and 5 by themselves, and none of the last two.
    ["kernels", 3, [2, 5]],
    // Each process breaks at its first launch, until the search ends.
    ["alternatives", 1, [0, 1, 2, 3]],
  ] as const)(
    "launches the programs of a larger pack of %s by themselves to find those at fault",
    async (kind, launch, found) => {
      const { fake, device } = fakeGpu({ isolate: true }, [`sticky 700 ${launch}`]);
      const compiler = watched(gpuCompiler(), (job) => {
        if (job === 2) fake.order();
      });
      const pipeline = gpuPipeline({ device, compiler, pack: { kind, size: 8 } });
      const results = await collect(
        pipeline.run(
          Array.from({ length: 8 }, (_, i) => times(i)),
          { ordered: true },
        ),
      );
      expect(statuses(results)).toEqual(Array(8).fill("ok"));
      // The others, and each of those that were found.
      const alone = results.flatMap(({ index, from }) =>
        "programs" in from && from.programs === 1 ? [index] : [],
      );
      expect(alone).toEqual(found);
      expect(pipeline.stats).toMatchObject({ packs: 2 + found.length, splits: 1 });
      expect(fake.calls("cuDevicePrimaryCtxRetain")).toHaveLength(2 + found.length);
    },
  );

  it("gives programs that always fail the code of their failure", async () => {
    const { device } = fakeGpu({ isolate: true }, ["sticky 700 1"]);
    const pipeline = gpuPipeline({ device, pack: 2 });
    const results = await collect(pipeline.run(PROGRAMS.slice(0, 2)));
    expect(statuses(results)).toEqual(["ILLEGAL_ADDRESS", "ILLEGAL_ADDRESS"]);
    expect(results[0]!.error!.message).toContain("ILLEGAL_ADDRESS");
  });

  it("ends launches that exceed its time limit", async () => {
    const { fake, device } = fakeGpu({ isolate: true, timeoutMs: 400 }, ["hang 1"]);
    const compiler = watched(gpuCompiler(), (job) => {
      if (job === 2) fake.order();
      if (job === 4) fake.order("hang 1");
    });
    const pipeline = gpuPipeline({ device, compiler, pack: 4 });
    expect(statuses(await collect(pipeline.run(PROGRAMS)))).toEqual(OK);
    expect(pipeline.stats).toMatchObject({ packs: 3, splits: 1 });
    // The one of the fourth job is alone in its pack.
    const [late] = await collect(pipeline.run([times(5)]));
    expect(late).toMatchObject({
      status: "TIMEOUT",
      error: { message: expect.stringContaining("within 400 ms") },
    });
  });

  it("whose process ended between two packs fails no program", async () => {
    const { fake, device } = fakeGpu({ isolate: true });
    const pipeline = gpuPipeline({ device, pack: 1 });
    expect(statuses(await collect(pipeline.run([times(1)])))).toEqual(["ok"]);
    process.kill(fake.call("cuDevicePrimaryCtxRetain").process, "SIGKILL");
    expect(statuses(await collect(pipeline.run([times(2)])))).toEqual(["ok"]);
  });

  it("that can't be opened again ends the run, after all results that are there", async () => {
    const { fake, device } = fakeGpu({ isolate: true });
    const compiler = watched(gpuCompiler(), (job) => {
      if (job === 3) fake.order("sticky 700 1", "fail cuDevicePrimaryCtxRetain 0 46");
    });
    const pipeline = gpuPipeline({ device, compiler, pack: 2 });
    const { all, error } = await untilError(
      pipeline.run(
        (async function* () {
          yield* PROGRAMS;
          await expect.poll(() => pipeline.stats.done).toBe(4);
          yield* [times(5), times(6)];
        })(),
      ),
    );
    expect(statuses(all)).toEqual(OK);
    expect(error).toMatchObject({
      code: "DEVICE_LOST",
      message: expect.stringMatching(/returned CUDA_ERROR_ILLEGAL_ADDRESS.*; it failed again at once: /s),
    });
  });

  it("takes the caller's buffers with it, which ends the run", async () => {
    const { device } = fakeGpu({ isolate: true }, ["sticky 700 1"]);
    const buffer = device.allocate(1024);
    const pipeline = gpuPipeline({
      device,
      pack: 2,
      launch: () => ({ ...launch(), args: [slices(buffer, 256), output(Float32Array, LENGTH), u32(LENGTH)] }),
    });
    await expect(collect(pipeline.run(PROGRAMS.slice(0, 2)))).rejects.toMatchObject({
      code: "DEVICE_LOST",
      message: expect.stringContaining("buffers of the launch plan were lost with it"),
    });
  });
});

describe.skipIf(!HAS_FAKE_DRIVER)("a GPU of this process", () => {
  /** A pipeline whose second pack loses the device, and its results. */
  async function lose(
    reopen?: (orders: (...lines: string[]) => void, device: CudaDevice) => CudaDevice | Promise<CudaDevice>,
  ) {
    const { fake, device } = fakeGpu({}, ["sticky 700 2"]);
    const pipeline = gpuPipeline({
      device,
      pack: 2,
      ...(reopen === undefined ? {} : { reopen: () => reopen((...lines) => fake.order(...lines), device) }),
    });
    const ended = await untilError(pipeline.run(PROGRAMS));
    pipeline.dispose();
    return { ...ended, fake, device, pipeline };
  }

  it("that is lost ends the run, after all results that are there", async () => {
    const { all, error } = await lose();
    expect(statuses(all)).toEqual(["ok", "ok"]);
    expect(error).toMatchObject({
      code: "DEVICE_LOST",
      message: expect.stringMatching(/open it with `isolate: true`, or give the option `reopen`$/),
    });
  });

  it("is opened again by `reopen`, and disposed by the pipeline", async () => {
    let opened: CudaDevice | undefined;
    const { all, error, pipeline } = await lose((order, device) => {
      expect(device.disposed).toBe(true);
      order();
      opened = CudaDevice.open(0);
      return opened;
    });
    expect(error).toBeUndefined();
    expect(statuses(all)).toEqual(OK);
    expect(pipeline.stats).toMatchObject({ splits: 1 });
    expect(opened!.disposed).toBe(true);
    await opened!.disposeAsync();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no other device");
      },
      /; `reopen` failed: .*no other device/,
    ],
    ["returns none", () => undefined, /; expected a device from `reopen`, found undefined$/],
    [
      "returns one that fails at once",
      (order: (...lines: string[]) => void) => {
        order("fail cuMemAlloc 0 1");
        return CudaDevice.open(0);
      },
      /; it failed again at once: .*cuMemAlloc/s,
    ],
  ] as const)("is lost for good if `reopen` %s", async (_, reopen, message) => {
    const { all, error } = await lose(reopen as unknown as () => CudaDevice);
    expect(statuses(all)).toEqual(["ok", "ok"]);
    expect(error).toMatchObject({ code: "DEVICE_LOST", message: expect.stringMatching(message) });
  });

  it("that the caller disposes ends the run", async () => {
    const { device } = fakeGpu();
    const pipeline = gpuPipeline({ device, pack: 1 });
    const run = pipeline.run(PROGRAMS);
    await run.next();
    device.dispose();
    const { error } = await untilError(run);
    expect(error).toMatchObject({ code: "DEVICE_LOST" });
  });

  it("without room for the outputs of a pack runs its parts", async () => {
    const { fake, device } = fakeGpu({}, [`memory ${2 ** 20}`]);
    const length = 2 ** 16;
    const pipeline = gpuPipeline({
      device,
      pack: 4,
      launch: () => ({ ...launch(), args: [input(X), output(Float32Array, length), u32(LENGTH)] }),
    });
    const results = await collect(pipeline.run(PROGRAMS));
    expect(statuses(results)).toEqual(OK);
    expect(pipeline.stats).toMatchObject({ packs: 3, splits: 1 });
    // Later packs are not too large in the first place.
    expect(statuses(await collect(pipeline.run([5, 6, 7, 8].map(times))))).toEqual(OK);
    expect(pipeline.stats).toMatchObject({ packs: 5, splits: 1 });
    expect(launchesOf(fake.calls()).map(({ grid }) => grid)).toEqual(Array(4).fill("2,1,2"));
  });

  it("without room for the outputs of one program says so", async () => {
    const { device } = fakeGpu({}, [`memory ${2 ** 20}`]);
    const pipeline = gpuPipeline({
      device,
      pack: 2,
      launch: () => ({ ...launch(), args: [input(X), output(Float32Array, 2 ** 19), u32(LENGTH)] }),
    });
    expect(statuses(await collect(pipeline.run(PROGRAMS)))).toEqual(Array(4).fill("OUT_OF_MEMORY"));
  });
});
