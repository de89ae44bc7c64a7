// Streams and events: the work of one stream is ordered, that of two streams where an event orders it.
import { type Device, u32 } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { STEP } from "./support/kernels.js";
import { onDevices } from "./support/places.js";

const LENGTH = 4096;
const SHAPE = { grid: LENGTH / 256, block: 256 };

/** The result of `step` for a value, with one pair of factor and term after the other. */
const stepped = (steps: readonly (readonly [factor: number, term: number])[]) =>
  new Uint32Array(LENGTH).fill(
    steps.reduce((value, [factor, term]) => (Math.imul(value, factor) + term) >>> 0, 0),
  );

async function stepper(device: Device) {
  const data = device.allocateUint32(LENGTH);
  await data.fill(0);
  const kernel = device.load(STEP).kernel("step");
  const prepare = (factor: number, term: number) =>
    kernel.prepare(SHAPE, [data, u32(factor), u32(term), u32(LENGTH)]);
  return { data, prepare };
}

onDevices("streams", ({ open }) => {
  it("do their work in order", async () => {
    using device = open();
    const { data, prepare } = await stepper(device);
    const steps = Array.from({ length: 200 }, (_, i) => [2 * i + 1, i] as const);
    for (const step of steps) device.stream.launch(prepare(...step));
    expect(await data.read()).toEqual(stepped(steps));
  });

  it("wait for events of others", async () => {
    using device = open();
    const { data, prepare } = await stepper(device);
    const streams = [device.createStream(), device.createStream()];
    const steps = Array.from({ length: 50 }, (_, i) => [2 * i + 1, i] as const);
    for (const [i, step] of steps.entries()) {
      const [own, other] = [streams[i % 2]!, streams[(i + 1) % 2]!];
      const event = device.createEvent();
      own.launch(prepare(...step));
      own.record(event);
      other.wait(event);
      event.dispose();
    }
    await device.synchronize();
    expect(await data.read()).toEqual(stepped(steps));
  });

  it("measure the time between events", async () => {
    using device = open();
    const { prepare } = await stepper(device);
    using start = device.createEvent();
    using end = device.createEvent();
    device.stream.record(start);
    for (let i = 0; i < 10; i++) device.stream.launch(prepare(3, 1));
    device.stream.record(end);
    await end.synchronize();
    expect([start.done, end.done]).toEqual([true, true]);
    expect(end.elapsedSince(start)).toBeGreaterThan(0);
  });

  it("do not block the event loop while they are awaited", async () => {
    using device = open();
    const { prepare } = await stepper(device);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 10; j++) device.stream.launch(prepare(3, 1));
      await device.stream.synchronize();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
