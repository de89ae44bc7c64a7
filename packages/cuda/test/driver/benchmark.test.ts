// The calls that `benchmark` makes. The fake driver computes nothing, so its times and clocks say nothing
// about a GPU.
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { benchmark, ClockMeter, CudaDevice } from "../../src/index.js";
import { STEP } from "../gpu/support/kernels.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";

/** Calls that queue work, in order. */
const QUEUED = ["cuMemsetD8Async", "cuEventRecord", "cuLaunchKernel", "cuMemcpyDtoDAsync"];
const MEASURED = ["cuEventRecord", "cuLaunchKernel", "cuEventRecord"];
const CLOCK = "cuLaunchKernel";

describe.runIf(HAS_FAKE_DRIVER)("benchmark", () => {
  async function queuedBy(options: Parameters<typeof benchmark>[2], orders: readonly string[] = []) {
    using fake = new FakeDriver(orders);
    const device = CudaDevice.open(0);
    try {
      const kernel = device.load(STEP).kernel("step");
      const data = device.allocateUint32(32);
      const before = fake.calls().length;
      const args = [data, u32(3), u32(1), u32(32)];
      const result = await benchmark(kernel, { grid: 1, block: 32, args }, options).catch((error) => error);
      const calls = fake
        .calls()
        .slice(before)
        .filter(({ name }) => QUEUED.includes(name));
      return { device, result, calls, names: calls.map(({ name }) => name) };
    } finally {
      await device[Symbol.asyncDispose]();
      fake.expectClean();
    }
  }

  it("puts each launch between two events, and nothing else", async () => {
    const { result, names } = await queuedBy({ warmup: 2, repeat: 3, flushL2: false });
    expect(names).toEqual([
      "cuLaunchKernel",
      "cuLaunchKernel",
      CLOCK,
      ...MEASURED,
      ...MEASURED,
      ...MEASURED,
      CLOCK,
    ]);
    expect(result.times).toHaveLength(3);
  });

  it("overwrites twice the size of the cache before each launch", async () => {
    const { device, calls, names } = await queuedBy({ warmup: 0, repeat: 2 });
    expect(names).toEqual([
      CLOCK,
      ...["cuMemsetD8Async", ...MEASURED],
      ...["cuMemsetD8Async", ...MEASURED],
      CLOCK,
    ]);
    const bytes = calls.find(({ name }) => name === "cuMemsetD8Async")!.arguments;
    expect(Object.values(bytes).map(Number)).toContain(2 * device.properties.l2CacheBytes);
  });

  it("alternates between buffers", async () => {
    const { calls, names } = await queuedBy({ warmup: 0, repeat: 4, flushL2: false, rotateBuffers: 2 });
    expect(names.slice(0, 2)).toEqual(["cuMemcpyDtoDAsync", CLOCK]);
    const launches = calls.filter(({ name }) => name === "cuLaunchKernel").slice(1, -1);
    const blocks = launches.map((call) => JSON.stringify(call.arguments));
    expect(blocks).toEqual([blocks[0], blocks[1], blocks[0], blocks[1]]);
    expect(blocks[0]).not.toBe(blocks[1]);
  });

  it("counts a clock as throttled that dropped by more than a twentieth", () => {
    expect(ClockMeter.isThrottled(1000, 949)).toBe(true);
    expect(ClockMeter.isThrottled(1000, 951)).toBe(false);
    expect(ClockMeter.isThrottled(undefined, 951)).toBeUndefined();
    expect(ClockMeter.isThrottled(1000, undefined)).toBeUndefined();
  });

  it("frees everything if a launch fails", async () => {
    const { result } = await queuedBy({ warmup: 0, repeat: 4 }, ["fail cuLaunchKernel 3 701"]);
    expect(result).toMatchObject({ code: "LAUNCH_OUT_OF_RESOURCES" });
  });
});
