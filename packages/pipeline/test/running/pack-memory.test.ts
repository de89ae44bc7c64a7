// The memory of a device that packs use.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { input, KernelPipeline, type LaunchPlan, output, textSite } from "../../src/index.js";
import { collect, KERNEL, LENGTH, launch, times, withPipeline, X } from "../support/kernel.js";

const memoryBytes = 2 ** 22;
const GOOD = Array.from({ length: 4 }, (_, i) => times(i));

it("that a pack has filled is free for a program that runs by itself", () => {
  /** The device has room for the outputs of four programs. */
  const launchLarge = (): LaunchPlan => ({
    grid: 2,
    block: 32,
    args: [input(X), output(Float32Array, 250_000), u32(LENGTH)],
  });
  const device = EmulatedDevice.open({ memoryBytes });
  return withPipeline({ device, launch: launchLarge, pack: 4 }, async (pipeline) => {
    const programs = [...GOOD, "\tmov.f32 %_x0, %_x1;\n\t@%p1 ret;"];
    const results = await collect(pipeline.run(programs, { ordered: true }));
    expect(results.map(({ status }) => status)).toEqual(programs.map(() => "ok"));
  });
});

it("is free again after a pipeline, also after programs that failed", async () => {
  using device = EmulatedDevice.open({ memoryBytes });
  const before = device.memoryInfo().free;
  const options = { kernel: KERNEL, sites: { func: textSite() }, device, launch, pack: 4 };
  const pipeline = new KernelPipeline(options);
  await collect(pipeline.run([...GOOD, "\ttrap;"]));
  pipeline.dispose();
  expect(device.memoryInfo().free).toBe(before);
});
