// Failures of calls, of queued work and of the whole device, in this process and in an isolated one. The
// driver is a fake that returns what the test says.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DriverHub } from "../../src/driver/addon.js";
import type { CudaDevice, CudaError, CudaKernel } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);
const ONE = { grid: 1, block: 1 } as const;

function setUp(options = {}) {
  const { device, fake } = fakeDevice(options);
  const module = device.load(PTX);
  return { device, fake, kernel: module.kernel("nothing"), other: module.kernel("required") };
}

suite("queued work that fails", () => {
  it("is reported by the next call that waits for its stream, once, with the kernel", async () => {
    const { device, fake, kernel } = setUp();
    using stream = device.createStream();
    fake.order("fail cuLaunchKernel 2 701");
    for (let i = 0; i < 3; i++) stream.launch(kernel, { grid: 1, block: 32 }, []);
    await device.stream.synchronize();
    await expect(stream.synchronize()).rejects.toMatchObject({
      code: "LAUNCH_OUT_OF_RESOURCES",
      number: 701,
      operation: "cuLaunchKernel",
      suspects: ["nothing"],
      message: expect.stringMatching(
        /^`cuLaunchKernel` for kernel `nothing` with 512 registers per block \(16 per thread, 32 threads per block\) returned .*\nhint: registers per thread/,
      ),
    });
    await stream.synchronize();
    expect(device.failure).toBeUndefined();
  });

  it("before an event is reported when the event is queried", async () => {
    const { device, fake, kernel } = setUp();
    using event = device.createEvent();
    device.stream.launch(kernel, ONE, []);
    device.stream.record(event);
    fake.order("fail cuEventQuery 1 400");
    expect(thrownBy(() => event.done)).toMatchObject({ code: "INVALID_HANDLE", operation: "cuEventQuery" });
    await event.synchronize();
    expect(event.done).toBe(true);
  });

  it("names the function that failed if a call uses several", async () => {
    const { device, fake } = setUp();
    const kernel = device.load(PTX).kernel("nothing");
    fake.order("fail cuLaunchKernelEx 1 912");
    device.stream.launch(kernel, { grid: 2, block: 1, cluster: 2 }, []);
    await expect(device.stream.synchronize()).rejects.toMatchObject({
      code: "INVALID_CLUSTER_SIZE",
      operation: "cuLaunchKernelEx",
    });
  });

  it.each([
    ["a copy", (device: CudaDevice) => device.allocate(4).copyFrom(new Uint8Array(4))],
    ["reading", (device: CudaDevice) => device.allocate(4).read()],
    ["filling", (device: CudaDevice) => device.allocate(4).fill(1)],
    ["the device", (device: CudaDevice) => device.synchronize()],
    ["blocking", async (device: CudaDevice) => device.stream.synchronizeSync()],
    ["reading at once", async (device: CudaDevice) => device.allocate(4).readSync()],
    ["copying at once", async (device: CudaDevice) => device.allocate(4).copyFromSync(new Uint8Array(4))],
  ] as const)("is reported by %s", async (_, wait) => {
    const { device, fake, kernel } = setUp();
    fake.order("fail cuLaunchKernel 1 1");
    device.stream.launch(kernel, ONE, []);
    await expect(wait(device)).rejects.toMatchObject({ code: "INVALID_VALUE", operation: "cuLaunchKernel" });
    await device.synchronize();
  });

  it("is reported once for many launches, by the first failure", async () => {
    const { device, fake, kernel, other } = setUp();
    fake.order("fail cuLaunchKernel 2 1", "fail cuLaunchKernel 3 701");
    const launches = [
      kernel.prepare(ONE, []),
      other.prepare({ grid: 1, block: 64 }, []),
      kernel.prepare(ONE, []),
    ];
    device.stream.launchMany(launches);
    await expect(device.stream.synchronize()).rejects.toMatchObject({
      code: "INVALID_VALUE",
      suspects: ["required"],
    });
    await device.stream.synchronize();
  });

  it("that belongs to no stream is reported by the device", async () => {
    const { device, fake } = setUp();
    fake.order("fail cuMemFree 1 1");
    device.allocate(16).dispose();
    device.memoryInfo();
    await expect(device.synchronize()).rejects.toMatchObject({ operation: "cuMemFree" });
    await device.synchronize();
  });

  it("is an error of its own call if that call waits", async () => {
    const { device, fake } = setUp();
    using buffer = device.allocate(16);
    fake.order("fail cuMemcpyHtoDAsync 0 1");
    await expect(buffer.copyFrom(new Uint8Array(4))).rejects.toMatchObject({
      operation: "cuMemcpyHtoDAsync",
    });
    expect(thrownBy(() => buffer.copyFromSync(new Uint8Array(4)))).toMatchObject({ code: "INVALID_VALUE" });
    fake.order("fail cuMemcpyDtoHAsync 0 1");
    await expect(buffer.read()).rejects.toMatchObject({ operation: "cuMemcpyDtoHAsync" });
    fake.order("fail cuMemsetD8Async 1 1");
    await expect(buffer.fill(1)).rejects.toMatchObject({ operation: "cuMemsetD8Async" });
    await device.synchronize();
  });
});

suite("a kernel that breaks its context", () => {
  it("loses the device: every later call throws, and names the suspects", async () => {
    const { device, fake, kernel, other } = setUp();
    const buffer = device.allocate(16);
    const prepared = kernel.prepare(ONE, []);
    await device.synchronize();
    fake.order("sticky 700 2");
    device.stream.launch(kernel, ONE, []);
    device.stream.launch(other, { grid: 1, block: 64 }, []);
    const failure = (await device.stream.synchronize().catch((error: unknown) => error)) as CudaError;
    expect(failure).toMatchObject({
      code: "ILLEGAL_ADDRESS",
      number: 700,
      suspects: ["nothing", "required"],
      message: expect.stringContaining("suspected: 2 launches of `nothing`, `required`"),
    });
    expect(device.failure).toBe(failure);
    const lost = { code: "DEVICE_LOST", suspects: ["nothing", "required"], cause: failure };
    for (const run of [
      () => device.allocate(4),
      () => device.memoryInfo(),
      () => device.load(PTX),
      () => device.createStream(),
      () => device.stream.launch(prepared),
      () => device.stream.launch(kernel, ONE, []),
      () => kernel.module.kernel("scale"),
      () => buffer.readSync(),
      () => device.stream.capture(() => {}),
    ]) {
      expect(thrownBy(run)).toMatchObject(lost);
    }
    for (const run of [() => buffer.read(), () => device.synchronize(), () => buffer.fill(1)]) {
      await expect(run()).rejects.toMatchObject(lost);
    }
    buffer.dispose();
    await device[Symbol.asyncDispose]();
    expect(thrownBy(() => device.allocate(4))).toMatchObject({ code: "DISPOSED" });
  });

  it.each([
    ["allocate", (device: CudaDevice) => device.allocate(4)],
    ["load", (device: CudaDevice) => device.load(PTX, { jit: true })],
    ["global", (_: CudaDevice, kernel: CudaKernel) => kernel.module.global("table")],
  ] as const)("is told with its suspects by `%s`, too", async (_, ask) => {
    const { device, fake, kernel } = setUp();
    fake.order("sticky 700 1");
    device.stream.launch(kernel, ONE, []);
    await expect.poll(() => thrownBy(() => ask(device, kernel))).toBeDefined();
    expect(device.failure).toMatchObject({ code: "ILLEGAL_ADDRESS", suspects: ["nothing"] });
  });

  it("rejects every pending call", async () => {
    const { device, fake, kernel } = setUp();
    using buffer = device.allocate(16);
    using stream = device.createStream();
    await device.synchronize();
    fake.order("hold streams", "sticky 719 1");
    stream.launch(kernel, ONE, []);
    const waits = [stream.synchronize(), device.synchronize(), buffer.read({ stream })];
    for (const wait of waits) wait.catch(() => {});
    fake.order("sticky 719 1");
    for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: "LAUNCH_FAILED" });
  });
});

suite("an isolated device", () => {
  it("is a device like any other", async () => {
    const { device, kernel } = setUp({ isolate: true });
    expect(device.isolated).toBe(true);
    using buffer = device.allocateFloat32(1 << 20);
    using host = device.allocateHost(16);
    expect(host.pinned).toBe(false);
    const values = Float32Array.from({ length: buffer.length }, (_, i) => i);
    await buffer.copyFrom(values);
    device.stream.launch(kernel, ONE, []);
    expect(await buffer.read()).toEqual(values);
    await buffer.copyTo(host.buffer);
    expect(new Float32Array(host.buffer)[3]).toBe(3);
    using start = device.createEvent();
    device.stream.record(start);
    await start.synchronize();
    using graph = device.stream.capture(() => device.stream.launch(kernel, ONE, []));
    graph.launch(device.stream);
    await device.synchronize();
  });

  it("starts a new process after a kernel that broke its context", async () => {
    const { device, fake, kernel } = setUp({ isolate: true });
    const buffer = device.allocate(16);
    using stream = device.createStream();
    await device.synchronize();
    fake.order("sticky 700 1");
    device.stream.launch(kernel, ONE, []);
    await expect(device.stream.synchronize()).rejects.toMatchObject({
      code: "ILLEGAL_ADDRESS",
      suspects: ["nothing"],
    });
    fake.order();
    const fresh = device.allocate(16);
    await fresh.fill(5);
    expect((await fresh.read())[15]).toBe(5);
    expect(device.failure).toBeUndefined();
    for (const run of [
      () => buffer.readSync(),
      () => stream.synchronizeSync(),
      () => kernel.handle,
      () => device.stream.launch(kernel, ONE, []),
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "DEVICE_LOST" });
    }
    buffer.dispose();
    device.stream.launch(device.load(PTX).kernel("nothing"), ONE, []);
    await device.synchronize();
  });

  it("starts a new process when its process was killed, and rejects pending calls", async () => {
    const { device, fake, kernel } = setUp({ isolate: true });
    const buffer = device.allocate(16);
    await device.synchronize();
    fake.order("hold streams");
    device.stream.launch(kernel, ONE, []);
    const waits = [device.stream.synchronize(), buffer.read(), device.createEvent().synchronize()];
    for (const wait of waits) wait.catch(() => {});
    process.kill(fake.call("cuDevicePrimaryCtxRetain").process, "SIGKILL");
    const crashed = { code: "CRASHED", message: expect.stringContaining("died") };
    for (const wait of waits.slice(0, 2)) await expect(wait).rejects.toMatchObject(crashed);
    expect(thrownBy(() => buffer.readSync())).toMatchObject({ code: "DEVICE_LOST", cause: crashed });
    fake.order();
    using fresh = device.allocate(16);
    await fresh.fill(3);
    expect((await fresh.read())[0]).toBe(3);
    expect(fake.calls("cuDevicePrimaryCtxRetain")).toHaveLength(2);
  });

  it("ends a launch that exceeds the time limit, and starts a new process", async () => {
    const { device, fake, kernel } = setUp({ isolate: true, timeoutMs: 400 });
    await device.synchronize();
    fake.order("hang 2");
    using buffer = device.allocate(16);
    device.stream.launch(kernel, ONE, []);
    device.stream.launch(kernel, ONE, []);
    const waits = [device.stream.synchronize(), buffer.read()];
    for (const wait of waits) wait.catch(() => {});
    for (const wait of waits) {
      await expect(wait).rejects.toMatchObject({
        code: "TIMEOUT",
        suspects: expect.arrayContaining(["nothing"]),
        message: expect.stringContaining("expected launches to finish within 400 ms"),
      });
    }
    fake.order();
    using fresh = device.allocate(16);
    await fresh.fill(1);
    await device.synchronize();
  });

  it.each([
    ["its stream", (device: CudaDevice) => device.stream.synchronize()],
    ["the device", (device: CudaDevice) => device.synchronize()],
    ["a copy", (device: CudaDevice) => device.allocate(4).read()],
    ["blocking", async (device: CudaDevice) => device.stream.synchronizeSync()],
  ] as const)("reports a failed launch that was not awaited to the next wait for %s", async (_, wait) => {
    const { device, fake, kernel } = setUp({ isolate: true, timeoutMs: 400 });
    fake.order("hang 1");
    device.stream.launch(kernel, ONE, []);
    await expect.poll(() => device.failure?.code).toBe("TIMEOUT");
    fake.order();
    await expect(wait(device)).rejects.toMatchObject({ code: "TIMEOUT", suspects: ["nothing"] });
    await device.synchronize();
  });

  it("is not ended for launches that were done while the event loop was blocked", async () => {
    const { device, fake, kernel } = setUp({ isolate: true, timeoutMs: 400 });
    // Timers run right after this, before replies that arrived meanwhile.
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        device.stream.launch(kernel, ONE, []);
        const end = performance.now() + 700;
        while (performance.now() < end);
        resolve();
      });
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await device.synchronize();
    expect(fake.calls("cuDevicePrimaryCtxRetain")).toHaveLength(1);
  });

  it("has more time for opening", () => {
    const calls = vi.spyOn(DriverHub.prototype, "call");
    onTestFinished(() => calls.mockRestore());
    const { device } = setUp({ isolate: true, timeoutMs: 30_000 });
    device.memoryInfo();
    const limits = new Map(
      calls.mock.calls.map(([, record, limit]) => [
        (calls.mock.contexts[0] as DriverHub).nameOf(new DataView(record.buffer).getUint16(8, true)),
        limit,
      ]),
    );
    const opening = ["open", "cuDeviceGetAttribute", "cuDeviceTotalMem"];
    expect(opening.map((name) => limits.get(name))).toEqual([60_000, 60_000, 60_000]);
    const others = ["load", "cuMemGetInfo", "cuModuleGetFunction"];
    expect(others.map((name) => limits.get(name))).toEqual([30_000, 30_000, 30_000]);
  });

  it("ends a call that exceeds the time limit", async () => {
    const { device, fake, kernel } = setUp({ isolate: true, timeoutMs: 400 });
    using buffer = device.allocate(16);
    await device.synchronize();
    fake.order("hang 1");
    device.stream.launch(kernel, ONE, []);
    expect(thrownBy(() => buffer.readSync())).toMatchObject({ code: "TIMEOUT" });
    fake.order();
    expect(device.memoryInfo().total).toBeGreaterThan(0);
  });
});
