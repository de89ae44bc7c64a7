// The calls that timing makes of a GPU, over a fake driver, which computes nothing and whose times say nothing.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { describe, expect, it } from "vitest";
import { type FakeCall, HAS_FAKE_DRIVER } from "../../../cuda/test/driver/support/fake-driver.js";
import { outputHash, type PackKind, type TimingOptions } from "../../src/index.js";
import { fakeGpu, gpuCompiler, gpuPipeline, launchesOf, workOf } from "../support/gpu.js";
import { collect, times, withPipeline } from "../support/kernel.js";

const PROGRAMS = [1, 2, 3].map(times);
/** Calls in short: launches of the kernel by their alternatives, and all others by their names. */
const short = (calls: readonly FakeCall[]): readonly string[] =>
  calls.map((call) => {
    const { name } = call;
    if (name === "cuEventRecord") return "event";
    if (name !== "cuLaunchKernel") return name.slice("cuMem".length);
    // The kernel that measures the clock has one block.
    if (call.arguments.grid === "1,1,1") return "clock";
    const [{ grid, first }] = launchesOf([call]) as [ReturnType<typeof launchesOf>[0]];
    return first === undefined ? "alone" : `${grid!.slice("2,1,".length)} from ${first}`;
  });

async function timed(timing: true | TimingOptions, kind: PackKind, isFinal: boolean) {
  const { fake, device } = fakeGpu();
  const { free } = device.memoryInfo();
  const pipeline = gpuPipeline({
    ...{ device, timing },
    pack: { kind, size: kind === "single" ? 1 : 3 },
    ...(isFinal ? { finalCompiler: gpuCompiler("final"), finalists: ({ index }) => index === 1 } : {}),
  });
  const results = await collect(pipeline.run(PROGRAMS, { ordered: true }));
  const calls = workOf(fake.calls());
  const { milliseconds } = pipeline.stats;
  pipeline.dispose();
  await device.synchronize();
  expect(device.memoryInfo().free).toBe(free);
  return { results, calls, milliseconds };
}

const PACK = ["setD8Async", "3 from 0", "cpyDtoHAsync"];
const inRow = (launch: string, warmup: number, repeat: number): string[] => [
  ...Array(warmup).fill(launch),
  "event",
  ...Array(repeat).fill(launch),
  "event",
];

describe.skipIf(!HAS_FAKE_DRIVER)("timing", () => {
  it("launches each alternative of a pack by itself, and all of them again", async () => {
    const { results, calls, milliseconds } = await timed({ warmup: 1, repeat: 2 }, "alternatives", false);
    const clock = ["clock", "cpyDtoHAsync"];
    expect(short(calls)).toEqual([
      "cpyHtoDAsync",
      ...PACK,
      ...clock,
      ...[0, 1, 2].flatMap((first) => inRow(`1 from ${first}`, 1, 2)),
      ...clock,
      ...PACK,
    ]);
    for (const result of results)
      expect(result).toMatchObject({ status: "ok", microseconds: expect.any(Number) });
    expect(milliseconds.timing).toBeGreaterThan(0);
  });

  it("launches each kernel of a pack by itself, with its own outputs", async () => {
    const { results, calls } = await timed({ warmup: 0, repeat: 1 }, "kernels", false);
    const launches = launchesOf(calls);
    const outs = launches.map(({ out }) => out);
    const own = outs.slice(0, 3);
    expect(new Set(own).size).toBe(3);
    expect(outs).toEqual([...own, ...own, ...own]);
    for (const result of results) expect(result.microseconds).toEqual(expect.any(Number));
  });

  it("times programs that are alone in their modules", async () => {
    const { results, calls } = await timed(true, "single", false);
    expect(launchesOf(calls)).toHaveLength(3 * (1 + 2 + 20 + 1));
    for (const result of results) expect(result.microseconds).toEqual(expect.any(Number));
  });

  it("measures finalists alone, each launch between two events after the cache was overwritten", async () => {
    const { results, calls } = await timed({ warmup: 1, repeat: 2 }, "alternatives", true);
    const own = ["setD8Async", "alone", "cpyDtoHAsync"];
    const measured = ["setD8Async", "event", "alone", "event"];
    expect(short(calls)).toEqual([
      ...["cpyHtoDAsync", ...PACK, ...own],
      ...["alone", "clock", "cpyDtoHAsync", ...measured, ...measured, "clock", "cpyDtoHAsync"],
      ...own,
    ]);
    expect(results.map(({ microseconds }) => microseconds !== undefined)).toEqual([false, true, false]);
    expect(results[1]).toMatchObject({ status: "ok", effort: "final" });
  });

  it("leaves the cache as it is, and cycles through copies of buffers, if asked to", async () => {
    const options = { warmup: 0, repeat: 4, flushL2: false, rotateBuffers: 2 };
    const { calls } = await timed(options, "alternatives", true);
    const names = short(calls).filter((name) => name.startsWith("cpyDtoD"));
    // A copy of the input and of the part of the output that one program has.
    expect(names).toHaveLength(2);
    const measured = calls.filter(({ name }) => name === "cuLaunchKernel").slice(3, 7);
    const outs = launchesOf(measured).map(({ out }) => out);
    expect(outs[0]).not.toBe(outs[1]);
    expect(outs).toEqual([outs[0], outs[1], outs[0], outs[1]]);
  });

  it("times all programs in their packs and finalists alone, if asked to", async () => {
    const { results } = await timed({ warmup: 0, repeat: 1, programs: "all" }, "alternatives", true);
    expect(results.map(({ microseconds }) => microseconds !== undefined)).toEqual([true, true, true]);
  });

  it("compares scores where outputs are not read", async () => {
    const { device } = fakeGpu();
    const pipeline = gpuPipeline({ device, pack: 3, timing: { warmup: 0, repeat: 1 }, read: outputHash() });
    const results = await collect(pipeline.run(PROGRAMS));
    for (const result of results)
      expect(result).toMatchObject({ status: "ok", microseconds: expect.any(Number) });
  });

  it("gives a finalist whose launches fail meanwhile the code of the failure", async () => {
    // The pack, its own launch, and the second of those that are measured; the clock's launch is between them.
    const { device } = fakeGpu({ isolate: true }, ["sticky 719 5"]);
    const pipeline = gpuPipeline({
      ...{ device, pack: 3 },
      timing: { warmup: 0, repeat: 3, flushL2: false },
      finalCompiler: gpuCompiler("final"),
      finalists: ({ index }) => index === 1,
    });
    const results = await collect(pipeline.run(PROGRAMS, { ordered: true }));
    expect(results.map(({ status }) => status)).toEqual(["ok", "LAUNCH_FAILED", "ok"]);
  });

  it("of finalists needs the compiler of their machine code", () => {
    const { device } = fakeGpu();
    expect(() => gpuPipeline({ device, timing: { programs: "finalists" } })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: "expected `finalCompiler`, whose machine code of finalists is timed, found none",
      }),
    );
  });
});

describe("timing without a GPU", () => {
  it("is nothing on an emulated device", async () => {
    for (const workers of [1, 2]) {
      const device = EmulatedDevice.open({ memoryBytes: 2 ** 24, workers });
      await withPipeline({ device, timing: true }, async (pipeline) => {
        for (const result of await collect(pipeline.run(PROGRAMS))) {
          expect(result.status).toBe("ok");
          expect(result).not.toHaveProperty("microseconds");
        }
      });
    }
  });

  it("needs a device", () => {
    expect(() => gpuPipeline({ device: undefined as never, timing: true })).toThrow(
      expect.objectContaining({ message: "expected a device with the option `timing`, found none" }),
    );
  });

  it.each([
    [{ repeats: 3 }, "unknown option `repeats`"],
    [{ repeat: 0 }, "option `timing.repeat`: expected a whole number from 1 to 1000000, found 0"],
    [{ programs: "some" }, "option `timing.programs`: expected `finalists`, `all`, found"],
    [false, "option `timing`: expected an object, found false"],
  ])("refuses %o", async (timing, message) => {
    const work = withPipeline({ timing: timing as TimingOptions }, async () => {});
    await expect(work).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(message),
    });
  });
});
