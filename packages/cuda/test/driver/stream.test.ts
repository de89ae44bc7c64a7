// Streams, events and graphs over a fake driver.

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { f32, u32 } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);
const ONE = { grid: 1, block: 1 } as const;

function setUp() {
  const { device, fake } = fakeDevice();
  return { device, fake, kernel: device.load(PTX).kernel("nothing"), stream: device.stream };
}

suite("a stream", () => {
  it("is awaited without blocking the event loop", async () => {
    const { device, fake, kernel } = setUp();
    using stream = device.createStream();
    fake.order("hold streams");
    stream.launch(kernel, ONE, []);
    let waited = false;
    const done = stream.synchronize().then(() => {
      waited = true;
    });
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(waited).toBe(false);
    fake.order();
    await done;
    await stream.synchronize();
    stream.synchronizeSync();
  });

  it("has a priority within the range", () => {
    const { device, fake } = setUp();
    const { least, greatest } = device.priorities;
    expect(greatest).toBeLessThanOrEqual(least);
    device.createStream({ priority: greatest }).dispose();
    expect(fake.calls("cuStreamCreateWithPriority").at(-1)!.arguments.priority).toBe(`${greatest}`);
    for (const priority of [greatest - 1, least + 1, 0.5]) {
      expect(thrownBy(() => device.createStream({ priority }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("waits for events of another stream", async () => {
    const { device, fake, stream } = setUp();
    using other = device.createStream();
    using event = device.createEvent();
    other.record(event);
    stream.wait(event);
    await stream.synchronize();
    expect(fake.call("cuStreamWaitEvent").arguments).toMatchObject({
      stream: `0x${stream.handle.toString(16)}`,
      event: `0x${event.handle.toString(16)}`,
    });
  });

  it("is unusable once it has been disposed, but its work is done", async () => {
    const { device, fake, kernel } = setUp();
    using event = device.createEvent();
    const stream = device.createStream();
    fake.order("hold streams");
    stream.launch(kernel, ONE, []);
    stream.dispose();
    stream.dispose();
    for (const run of [
      () => stream.launch(kernel, ONE, []),
      () => stream.launchMany([]),
      () => stream.record(event),
      () => stream.wait(event),
      () => stream.capture(() => {}),
      () => stream.synchronizeSync(),
      () => stream.handle,
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "DISPOSED" });
    }
    await expect(stream.synchronize()).rejects.toMatchObject({ code: "DISPOSED" });
    expect(fake.calls("cuStreamDestroy")).toHaveLength(0);
    fake.order();
    await device.synchronize();
    await expect.poll(() => fake.calls("cuStreamDestroy").length).toBe(1);
  });
});

suite("an event", () => {
  it("is done when its stream reaches it, and measures time", async () => {
    const { device, fake, kernel, stream } = setUp();
    using start = device.createEvent();
    using end = device.createEvent();
    expect(start.done).toBe(true);
    await start.synchronize();
    expect(thrownBy(() => end.elapsedSince(start))).toMatchObject({ code: "INVALID_ARGUMENT" });
    fake.order("hold streams");
    stream.record(start);
    stream.launch(kernel, ONE, []);
    stream.record(end);
    expect(end.done).toBe(false);
    expect(thrownBy(() => end.elapsedSince(start))).toMatchObject({
      message: "expected two completed events, found a pending one",
    });
    fake.order();
    await end.synchronize();
    expect([start.done, end.done]).toEqual([true, true]);
    expect(end.elapsedSince(start)).toBeGreaterThanOrEqual(0);
  });

  it("is awaited on a separate stream, regardless of work queued after it", async () => {
    const { device, fake, kernel, stream } = setUp();
    using first = device.createEvent();
    using second = device.createEvent();
    fake.order("hold streams");
    for (const event of [first, second]) {
      stream.record(event);
      stream.launch(kernel, ONE, []);
    }
    const waits = [first.synchronize(), second.synchronize()];
    device.memoryInfo();
    const waiters = fake.calls("cuStreamWaitEvent").map((call) => call.arguments.stream);
    expect(new Set([...waiters, `0x${stream.handle.toString(16)}`]).size).toBe(3);
    fake.order();
    await Promise.all(waits);
    stream.record(first);
    await first.synchronize();
    expect(fake.calls("cuStreamCreateWithPriority")).toHaveLength(3);
  });

  it("is refused if it belongs to another device, is disposed, or is not an event", () => {
    const { device, stream } = setUp();
    const other = setUp();
    const event = device.createEvent();
    expect(thrownBy(() => other.stream.record(event))).toMatchObject({
      message: "expected an event of this device, found one of another",
    });
    expect(thrownBy(() => event.elapsedSince(other.device.createEvent()))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    for (const wrong of [null, {}, stream]) {
      expect(thrownBy(() => stream.record(wrong as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(thrownBy(() => event.elapsedSince(wrong as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    event.dispose();
    event.dispose();
    expect(thrownBy(() => stream.record(event))).toMatchObject({ code: "DISPOSED" });
    expect(thrownBy(() => event.done)).toMatchObject({ code: "DISPOSED" });
  });
});

suite("a graph", () => {
  it("contains the work of its capture, launched as one", async () => {
    const { device, fake, stream } = setUp();
    const scale = device.load(PTX).kernel("scale");
    using buffer = device.allocate(16);
    using other = device.allocate(16);
    using host = device.allocateHost(16);
    using graph = stream.capture(() => {
      stream.launch(scale, ONE, [buffer, f32(1), u32(1)]);
      stream.launch(scale, ONE, [buffer, f32(2), u32(2)]);
      void buffer.fill(3);
      void other.copyFrom(buffer);
      void other.copyTo(host.buffer);
    });
    graph.launch(stream);
    using second = device.createStream();
    graph.launch(second);
    await device.synchronize();
    expect(fake.calls("cuGraphLaunch")).toHaveLength(2);
    expect([...new Uint8Array(host.buffer)]).toEqual(new Array(16).fill(3));
    expect(other.readSync()).toEqual(new Uint8Array(16).fill(3));
  });

  it("keeps what it uses until its launches are done, and needs it for them", async () => {
    const { device, fake, stream } = setUp();
    const scale = device.load(PTX).kernel("scale");
    const buffer = device.allocate(16);
    const graph = stream.capture(() => stream.launch(scale, ONE, [buffer, f32(1), u32(1)]));
    fake.order("hold streams");
    graph.launch(stream);
    buffer.dispose();
    graph.dispose();
    graph.dispose();
    expect(thrownBy(() => graph.launch(stream))).toMatchObject({ code: "DISPOSED" });
    device.memoryInfo();
    expect([fake.calls("cuMemFree").length, fake.calls("cuGraphExecDestroy").length]).toEqual([0, 0]);
    fake.order();
    await stream.synchronize();
    await expect.poll(() => fake.calls("cuMemFree").length).toBe(1);
    using another = device.allocate(16);
    using again = stream.capture(() => stream.launch(scale, ONE, [another, f32(1), u32(1)]));
    another.dispose();
    expect(thrownBy(() => again.launch(stream))).toMatchObject({ code: "DISPOSED" });
  });

  it("cannot contain calls that wait, and its capture ends nevertheless", async () => {
    const { device, stream, kernel } = setUp();
    using buffer = device.allocate(16);
    const refused = {
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("that is not being captured"),
    };
    for (const work of [
      () => stream.synchronizeSync(),
      () => stream.capture(() => {}),
      () => buffer.copyFromSync(new Uint8Array(16)),
      () => buffer.readSync(),
    ]) {
      expect(thrownBy(() => stream.capture(work))).toMatchObject(refused);
    }
    const rejections: Promise<unknown>[] = [];
    using _ = stream.capture(() => {
      rejections.push(stream.synchronize(), buffer.copyFrom(new Uint8Array(16)), buffer.read());
      for (const each of rejections) each.catch(() => {});
      stream.launch(kernel, ONE, []);
    });
    for (const each of rejections) await expect(each).rejects.toMatchObject(refused);
    expect(thrownBy(() => stream.capture(async () => {}))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(thrownBy(() => stream.capture(1 as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
    const own = new Error("own");
    expect(
      thrownBy(() =>
        stream.capture(() => {
          throw own;
        }),
      ),
    ).toBe(own);
    stream.launch(kernel, ONE, []);
    await stream.synchronize();
  });

  it("that the driver cannot create throws its error", () => {
    for (const [name, code] of [
      ["cuStreamBeginCapture", "STREAM_CAPTURE_UNSUPPORTED"],
      ["cuStreamEndCapture", "STREAM_CAPTURE_UNSUPPORTED"],
      ["cuGraphInstantiateWithFlags", "STREAM_CAPTURE_UNSUPPORTED"],
    ] as const) {
      const { fake, kernel, stream } = setUp();
      fake.order(`fail ${name} 1 900`);
      const capture = () => stream.capture(() => stream.launch(kernel, ONE, []));
      expect(thrownBy(capture)).toMatchObject({ code, operation: name });
    }
  });
});
