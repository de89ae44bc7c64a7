// The time limit of an isolated device whose process is stopped: every call is rejected, and the next one has a new
// process.

import { describe, expect, it } from "vitest";
import { f32, u32 } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";
import { WORKER } from "./support/session.js";

const LIMIT_MS = 700;
const ONE = { grid: 1, block: 1 } as const;
const NUMBERS = [f32(1), u32(1)] as const;
const TIMEOUT = {
  code: "TIMEOUT",
  message: expect.stringMatching(/^expected .+ within 700 ms, found (none|one that did not)/),
};

describe.runIf(HAS_FAKE_DRIVER && WORKER !== "")("a stopped process", { timeout: 60_000 }, () => {
  /** What every call starts with, and a function that stops the process. */
  function setUp() {
    const { device, fake } = fakeDevice({ isolate: true, timeoutMs: LIMIT_MS });
    const create = () => {
      const module = device.load(PTX, { jit: true });
      const parts = {
        device,
        module,
        kernel: module.kernel("scale"),
        buffer: device.allocate(64),
        other: device.allocate(64),
        stream: device.createStream(),
        event: device.createEvent(),
        pool: device.createPool(),
        graph: device.stream.capture(() => device.stream.launch(module.kernel("nothing"), ONE, [])),
      };
      // The first launch asks about the kernel.
      parts.stream.launch(parts.kernel, ONE, [parts.buffer, ...NUMBERS]);
      parts.stream.synchronizeSync();
      parts.stream.record(parts.event);
      return parts;
    };
    const stop = () => {
      process.kill(fake.calls("cuDevicePrimaryCtxRetain").at(-1)!.process, "SIGSTOP");
    };
    return { device, create, stop };
  }
  type World = ReturnType<ReturnType<typeof setUp>["create"]>;
  const host = () => new Uint8Array(64);

  const ASYNCHRONOUS: Record<string, (world: World) => Promise<unknown>> = {
    read: ({ buffer }) => buffer.read(),
    "copyTo memory": ({ buffer }) => buffer.copyTo(host()),
    "copyTo a buffer": ({ buffer, other }) => buffer.copyTo(other),
    copyFrom: ({ buffer }) => buffer.copyFrom(host()),
    fill: ({ buffer }) => buffer.fill(1),
    loadAsync: ({ device }) => device.loadAsync(PTX, { jit: true }),
    "synchronize of a stream": ({ stream, kernel, buffer }) => {
      stream.launch(kernel, ONE, [buffer, ...NUMBERS]);
      return stream.synchronize();
    },
    "synchronize of the device": ({ device }) => device.synchronize(),
    // It creates a stream for the wait, which blocks, so the calls after it have a new process.
    "synchronize of an event": ({ event, stream }) => {
      stream.record(event);
      return event.synchronize();
    },
  };

  it("is ended for calls that wait without blocking", async () => {
    const { create, stop } = setUp();
    const world = create();
    stop();
    const calls = Object.values(ASYNCHRONOUS).map((call) => call(world));
    const ended = await Promise.allSettled(calls);
    expect(Object.keys(ASYNCHRONOUS).filter((_, i) => ended[i]!.status === "fulfilled")).toEqual([]);
    for (const each of ended) expect(each).toMatchObject({ reason: TIMEOUT });
    expect(world.device.memoryInfo().total).toBeGreaterThan(0);
  });

  it("is ended for launches that nobody waits for", async () => {
    const { device, create, stop } = setUp();
    const { graph, kernel, buffer } = create();
    stop();
    graph.launch(device.stream);
    device.stream.launch(kernel, ONE, [buffer, ...NUMBERS]);
    await expect.poll(() => device.failure?.code, { timeout: 30_000 }).toBe("TIMEOUT");
  });

  it("is ended when the device is disposed", async () => {
    const { device, create, stop } = setUp();
    create();
    stop();
    await device[Symbol.asyncDispose]();
  });

  it.each<[string, (world: World) => unknown]>([
    ["readSync", ({ buffer }) => buffer.readSync()],
    ["copyFromSync", ({ buffer }) => buffer.copyFromSync(host())],
    ["copyToSync", ({ buffer }) => buffer.copyToSync(host())],
    ["synchronizeSync", ({ stream }) => stream.synchronizeSync()],
    ["load", ({ device }) => device.load(PTX, { jit: true })],
    ["a query of an event", ({ event, stream }) => [stream.record(event), event.done]],
    ["a query of a kernel", ({ module }) => module.kernel("typed").attributes],
    ["createStream", ({ device }) => device.createStream()],
    ["createEvent", ({ device }) => device.createEvent()],
    ["capture", ({ stream }) => stream.capture(() => {})],
    ["allocate", ({ device }) => device.allocate(64)],
    ["an allocation from a pool", ({ pool }) => pool.allocate(64)],
    ["memoryInfo", ({ device }) => device.memoryInfo()],
  ])("is ended for %s", async (_, call) => {
    const { device, create, stop } = setUp();
    const world = create();
    stop();
    expect(thrownBy(() => call(world))).toMatchObject(TIMEOUT);
    expect(device.memoryInfo().total).toBeGreaterThan(0);
  });

  it("has the limit for each step of a stream, and not for their sum", async () => {
    const { device } = fakeDevice({ isolate: true, timeoutMs: LIMIT_MS });
    const buffer = device.allocate(64);
    const end = performance.now() + 2 * LIMIT_MS;
    let last: Promise<unknown> = Promise.resolve();
    while (performance.now() < end) {
      last = Promise.all(Array.from({ length: 4 }, () => buffer.read()));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await last;
    expect(device.failure).toBeUndefined();
  });
});
