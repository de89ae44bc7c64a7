// What is freed, when, and in which order: by disposal, by the garbage collector, and with the device. The
// driver is a fake that reports whatever is freed while work needs it.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CudaBuffer, CudaDevice, f32, u32 } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);
const ONE = { grid: 1, block: 1 } as const;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects garbage until a condition is true, which takes some turns of the event loop. */
async function collectUntil(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !happened(); turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(happened()).toBe(true);
}

async function collectForAWhile(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function warnings(): string[] {
  const found: string[] = [];
  const listen = ({ name, message }: Error) => {
    if (name === "LeakWarning") found.push(message);
  };
  process.on("warning", listen);
  const before = process.env.MM_PTX_WARN_LEAKS;
  process.env.MM_PTX_WARN_LEAKS = "1";
  onTestFinished(() => {
    process.off("warning", listen);
    if (before === undefined) delete process.env.MM_PTX_WARN_LEAKS;
    else process.env.MM_PTX_WARN_LEAKS = before;
  });
  return found;
}

suite("work in flight", () => {
  it("keeps what it uses, whatever is disposed meanwhile", async () => {
    const { device, fake } = fakeDevice();
    using stream = device.createStream();
    const module = device.load(PTX);
    const buffer = device.allocateFloat32(4);
    const prepared = module.kernel("scale").prepare(ONE, [buffer, f32(1), u32(1)]);
    fake.order("hold streams");
    stream.launch(prepared);
    stream.launchMany([prepared, prepared]);
    buffer.dispose();
    module.dispose();
    device.memoryInfo();
    const freed = () => fake.calls("cuMemFree").length + fake.calls("cuModuleUnload").length;
    expect(freed()).toBe(0);
    fake.order();
    await stream.synchronize();
    await expect.poll(freed).toBe(2);
  });

  it("is awaited on both streams that use a buffer", async () => {
    const { device, fake } = fakeDevice();
    using first = device.createStream();
    using second = device.createStream();
    const buffer = device.allocate(16);
    await buffer.fill(1, { stream: first });
    fake.order("hold streams");
    const filling = buffer.fill(2, { stream: second });
    buffer.dispose();
    await first.synchronize();
    expect(fake.calls("cuMemFree")).toHaveLength(0);
    fake.order();
    await filling;
    await expect.poll(() => fake.calls("cuMemFree").length).toBe(1);
  });

  it.each([
    ["a copy", (target: CudaBuffer, source: CudaBuffer): void => void target.copyFromPeer(source)],
    [
      "a graph",
      (target: CudaBuffer, source: CudaBuffer): void => {
        const { stream } = target.device;
        const graph = stream.capture((): void => {
          void target.copyFromPeer(source);
        });
        graph.launch(stream);
      },
    ],
  ] as const)(
    "on another device is done before the memory is freed with its device: %s",
    async (_, start) => {
      const { device, fake } = fakeDevice({}, ["devices 2"]);
      const lender = CudaDevice.open(1);
      const [target, source] = [device.allocate(16), lender.allocate(16)];
      await device.synchronize();
      fake.order("devices 2", "hold streams");
      start(target, source);
      const closed = lender[Symbol.asyncDispose]();
      await new Promise((resolve) => setImmediate(resolve));
      fake.order("devices 2");
      await closed;
      expect(fake.violations()).toEqual([]);
    },
  );

  it("is done before its device is closed, and pending waits are settled", async () => {
    const { device, fake } = fakeDevice();
    const kernel = device.load(PTX).kernel("nothing");
    const buffer = device.allocate(8);
    await buffer.fill(7);
    fake.order("hold streams");
    device.stream.launch(kernel, ONE, []);
    const waits = [buffer.read(), device.stream.synchronize(), buffer.fill(1), device.synchronize()];
    device.dispose();
    fake.order();
    expect(await waits[0]).toEqual(new Uint8Array(8).fill(7));
    await Promise.all(waits);
    await device[Symbol.asyncDispose]();
    expect(fake.calls("cuDevicePrimaryCtxRelease")).toHaveLength(1);
  });
});

suite("a stream", () => {
  it("stays alive while pool memory is freed in its order", async () => {
    const { device, fake } = fakeDevice();
    using pool = device.createPool();
    const stream = device.createStream();
    const buffer = pool.allocate(16, { stream });
    await buffer.fill(1, { stream });
    stream.dispose();
    device.memoryInfo();
    expect(fake.calls("cuStreamDestroy")).toEqual([]);
    buffer.dispose();
    await expect.poll(() => fake.calls("cuStreamDestroy").length).toBe(1);
  });

  it("stays until its capture has ended", async () => {
    const { device, fake } = fakeDevice();
    const kernel = device.load(PTX).kernel("nothing");
    const stream = device.createStream();
    using graph = stream.capture(() => {
      stream.launch(kernel, ONE, []);
      stream.dispose();
    });
    graph.launch(device.stream);
    await device.synchronize();
    await expect.poll(() => fake.calls("cuStreamDestroy").length).toBe(1);
  });
});

suite("a capture", () => {
  it("does not include frees and waits that happen meanwhile", async () => {
    const { device, fake } = fakeDevice();
    const { stream } = device;
    const scale = device.load(PTX).kernel("scale");
    const before = device.allocate(16);
    using pool = device.createPool();
    const pooled = pool.allocate(16);
    using used = device.allocate(16);
    fake.order("hold streams");
    stream.launch(scale, ONE, [before, f32(1), u32(1)]);
    const waits: Promise<void>[] = [];
    using graph = stream.capture(() => {
      stream.launch(scale, ONE, [used, f32(1), u32(1)]);
      before.dispose();
      pooled.dispose();
      waits.push(device.synchronize());
    });
    fake.order();
    await Promise.all(waits);
    await expect.poll(() => fake.calls("cuMemFree").length).toBe(1);
    await expect.poll(() => fake.calls("cuMemFreeAsync").length).toBe(1);
    graph.launch(stream);
    graph.launch(stream);
    await stream.synchronize();
  });

  it("accepts neither events nor pool memory", async () => {
    const { device } = fakeDevice();
    const { stream } = device;
    using event = device.createEvent();
    using pool = device.createPool();
    for (const work of [() => stream.record(event), () => stream.wait(event), () => void pool.allocate(16)]) {
      expect(thrownBy(() => stream.capture(work))).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("expected a stream that is not being captured"),
      });
    }
    await stream.synchronize();
  });
});

suite("objects without references", () => {
  it("are freed, with a warning on request", async () => {
    const found = warnings();
    const { device, fake } = fakeDevice();
    const make = (): void => {
      const module = device.load(PTX);
      device.allocate(16).part(4).as(Uint16Array);
      module.kernel("nothing").prepare(ONE, []);
      device.createStream();
      device.createEvent();
      device.createPool();
      device.allocateHost(16);
    };
    make();
    const freed = () =>
      ["MemFree", "ModuleUnload", "StreamDestroy", "EventDestroy", "MemPoolDestroy", "MemFreeHost"].map(
        (name) => fake.calls(`cu${name}`).length,
      );
    await collectUntil(() => Math.min(...freed()) === 1);
    expect(freed()).toEqual([1, 1, 1, 1, 1, 1]);
    await expect.poll(() => found.length).toBe(8);
    expect(new Set(found)).toContain("garbage-collected without having been disposed: module");
  });

  it("are freed even if they were launched or passed to a launch", async () => {
    const { device, fake } = fakeDevice();
    const kernel = device.load(PTX).kernel("scale");
    const launch = (): void => {
      device.stream.launch(kernel, ONE, [device.allocate(16), f32(1), u32(1)]);
      device.stream.launch(device.load(PTX).kernel("nothing"), ONE, []);
    };
    launch();
    await device.stream.synchronize();
    await collectUntil(() => fake.calls("cuMemFree").length + fake.calls("cuModuleUnload").length === 2);
    expect(kernel.name).toBe("scale");
  });

  it("are kept for work in flight, and by their parts", async () => {
    const { device, fake } = fakeDevice();
    const launch = (): void => {
      const buffer = device.allocate(16);
      device.stream.launch(device.load(PTX).kernel("scale"), ONE, [buffer, f32(1), u32(1)]);
    };
    fake.order("hold streams");
    launch();
    const part = device.allocate(16).part(8);
    const prepared = device
      .load(PTX)
      .kernel("scale")
      .prepare(ONE, [device.allocate(4), f32(1), u32(1)]);
    await collectForAWhile();
    expect([fake.calls("cuMemFree").length, fake.calls("cuModuleUnload").length]).toEqual([0, 0]);
    fake.order();
    device.stream.launch(prepared);
    await part.fill(1);
    part.dispose();
  });

  it("cause no warning if they or their device were disposed", async () => {
    const found = warnings();
    const make = async (): Promise<void> => {
      const { device } = fakeDevice();
      device.load(PTX);
      device.allocate(4).dispose();
      device.createStream();
      await device[Symbol.asyncDispose]();
    };
    await make();
    await collectForAWhile();
    expect(found).toEqual([]);
  });

  it("may be whole devices", async () => {
    const { device: _, fake } = fakeDevice();
    const open = (): void => {
      CudaDevice.open().allocate(16);
    };
    open();
    await collectUntil(() => fake.calls("cuDevicePrimaryCtxRelease").length === 1);
  });
});

suite("disposal", () => {
  it("is harmless in any order", () => {
    const { device } = fakeDevice();
    const all = [
      device.allocate(4),
      device.load(PTX),
      device.createStream(),
      device.createEvent(),
      device.createPool(),
      device.allocateHost(4),
      device.stream.capture(() => {}),
    ];
    for (const each of all.slice(0, 3)) each.dispose();
    device.dispose();
    for (const each of all) {
      each.dispose();
      each[Symbol.dispose]();
      expect(each.disposed).toBe(true);
    }
    expect(thrownBy(() => device.stream.handle)).toMatchObject({ code: "DISPOSED" });
  });
});

suite("code of the caller that runs while arguments are read", () => {
  function setUp() {
    const { device, fake } = fakeDevice();
    const stream = device.createStream();
    const module = device.load(PTX);
    const buffer = device.allocateFloat32(4);
    const kernel = module.kernel("scale");
    const arguments_ = [buffer, f32(1), u32(1)] as const;
    const prepared = kernel.prepare(ONE, arguments_);
    return { device, fake, stream, module, buffer, kernel, arguments_, prepared };
  }
  type World = ReturnType<typeof setUp>;

  /** An object whose property is a getter that runs `code` first. */
  const reading = (target: object, name: string | number, value: unknown, code: () => void) =>
    Object.defineProperty(target, name, {
      enumerable: true,
      get: () => {
        code();
        return value;
      },
    }) as never;

  type Call = (world: World, code: () => void) => unknown;
  const launches: Record<string, Call> = {
    "launchMany, of its array": ({ stream, prepared }, code) =>
      stream.launchMany(reading([prepared, prepared], 1, prepared, code)),
    "launch, of its options": ({ stream, kernel, arguments_ }, code) =>
      stream.launch(kernel, reading({ block: 1 }, "grid", 1, code), arguments_),
    "launch, of its arguments": ({ stream, kernel, arguments_ }, code) =>
      stream.launch(kernel, ONE, reading([...arguments_], 2, u32(1), code)),
  };
  const copies: Record<string, Call> = {
    "read, of its options": ({ buffer, stream }, code) => buffer.read(reading({}, "stream", stream, code)),
    "readSync, of its options": ({ buffer, stream }, code) =>
      buffer.readSync(reading({}, "stream", stream, code)),
    "copyFrom, of its options": ({ buffer }, code) =>
      buffer.copyFrom(new Uint8Array(4), reading({}, "offset", 0, code)),
    "copyToSync, of its options": ({ buffer }, code) =>
      buffer.copyToSync(new Uint8Array(4), reading({}, "offset", 0, code)),
    "fill, of its options": ({ buffer }, code) => buffer.fill(1, reading({}, "byteLength", 4, code)),
  };
  const owners: Record<string, (world: World) => void> = {
    stream: ({ stream }) => stream.dispose(),
    module: ({ module }) => module.dispose(),
    buffer: ({ buffer }) => buffer.dispose(),
  };
  const cases = [
    ...Object.keys(launches).flatMap((name) => Object.keys(owners).map((owner) => [name, owner] as const)),
    ...Object.keys(copies).map((name) => [name, "buffer"] as const),
  ];

  it.each(cases)("cannot make %s use a %s that it disposes", async (name, owner) => {
    const world = setUp();
    const call = { ...launches, ...copies }[name]!;
    const caught = await (async () => call(world, () => owners[owner]!(world)))().catch(
      (error: unknown) => error,
    );
    expect(caught).toMatchObject({ code: "DISPOSED" });
    await world.device.synchronize();
    expect(world.fake.calls("cuLaunchKernel")).toEqual([]);
    expect(world.fake.calls().filter(({ name: called }) => /^cuMem(cpy|set)/.test(called))).toEqual([]);
    expect(world.fake.violations()).toEqual([]);
  });

  it("may launch the same kernel", async () => {
    const { device, fake, stream, kernel, buffer } = setUp();
    const inner = () => stream.launch(kernel, ONE, [buffer, f32(1), u32(2)]);
    stream.launch(kernel, ONE, reading([buffer, f32(1), u32(1)], 1, f32(1), inner));
    await device.synchronize();
    const counts = fake.calls("cuLaunchKernel").map((each) => each.arguments.parameters!.slice(-8));
    expect(counts).toEqual(["02000000", "01000000"]);
  });

  it("cannot make a launch use another buffer than it was given", async () => {
    const { device, fake, stream, kernel, buffer } = setUp();
    using other = device.allocateFloat32(4);
    const answers = [other, buffer];
    const once = reading([0, f32(1), u32(1)], 0, undefined, () => {});
    Object.defineProperty(once, 0, { get: () => answers.shift() ?? buffer });
    fake.order("hold streams");
    stream.launch(kernel, ONE, once);
    other.dispose();
    fake.order();
    await device.synchronize();
    expect(fake.violations()).toEqual([]);
  });
});
