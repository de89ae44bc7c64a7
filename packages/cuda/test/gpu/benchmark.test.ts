// Measuring: consistent figures, rotating buffers, a check that is called. On a GPU also its clock.
import { f32, u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { benchmark, CudaDevice } from "../../src/index.js";
import { SAXPY } from "./support/kernels.js";
import { onDevices, onGpu } from "./support/places.js";

const LENGTH = 1024;

onDevices("benchmark", ({ open }) => {
  it("measures each launch, and calls `verify`", async () => {
    using device = open();
    using x = device.allocateFloat32(LENGTH);
    using y = device.allocateFloat32(LENGTH);
    await x.copyFrom(new Float32Array(LENGTH).fill(1));
    await y.fill(0);
    const kernel = device.load(SAXPY).kernel("saxpy");
    const args = [x, y, f32(1), u32(LENGTH)];
    let verified: Float32Array | undefined;
    const { times, min, median, p95, spread } = await benchmark(
      kernel,
      { grid: LENGTH / 128, block: 128, args },
      {
        warmup: 2,
        repeat: 20,
        rotateBuffers: 4,
        verify: async () => {
          verified = await y.read();
        },
      },
    );
    expect(times).toHaveLength(20);
    expect(Math.min(...times)).toBe(min);
    expect(min).toBeGreaterThan(0);
    expect(median).toBeGreaterThanOrEqual(min);
    expect(p95).toBeGreaterThanOrEqual(median);
    expect(spread).toBeGreaterThanOrEqual(0);
    // One warm-up launch and a fourth of the others used the given buffers.
    expect(verified).toEqual(new Float32Array(LENGTH).fill(6));
  });

  it("reports failed verification and invalid arguments", async () => {
    using device = open();
    using x = device.allocateFloat32(32);
    const kernel = device.load(SAXPY).kernel("saxpy");
    const launch = { grid: 1, block: 32, args: [x, x, f32(0), u32(32)] };
    const wrong = new Error("wrong results");
    const verify = () => {
      throw wrong;
    };
    await expect(benchmark(kernel, launch, { repeat: 1, verify })).rejects.toBe(wrong);
    await expect(benchmark(kernel, launch, { repeats: 1 } as never)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("unknown option `repeats`, did you mean `repeat`?"),
    });
    await expect(benchmark(kernel, launch, { repeat: 0 })).rejects.toThrow(
      "`repeat` as a whole number from 1",
    );
    await expect(benchmark(kernel, 1 as never)).rejects.toThrow(
      "expected a launch with its arguments, found 1",
    );
    await expect(benchmark(1 as never, launch)).rejects.toThrow("expected a kernel, found 1");
    await expect(benchmark(kernel, { ...launch, stream: 1 as never })).rejects.toThrow(
      "expected `stream` as a stream of the device, found 1",
    );
    using other = open();
    await expect(benchmark(kernel, { ...launch, stream: other.stream })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(benchmark(kernel, { ...launch, args: [x] })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

onGpu("benchmark", () => {
  it("reports the clock", async () => {
    using device = CudaDevice.open(0);
    using x = device.allocateFloat32(LENGTH);
    const kernel = device.load(SAXPY).kernel("saxpy");
    const { clock, throttled } = await benchmark(kernel, {
      grid: LENGTH / 128,
      block: 128,
      args: [x, x, f32(0), u32(LENGTH)],
    });
    const most = device.properties.clockRateKHz / 1000;
    expect(clock!.before).toBeGreaterThan(100);
    if (most > 0) expect(clock!.before).toBeLessThan(1.1 * most);
    expect(throttled).toEqual(expect.any(Boolean));
  });
});
