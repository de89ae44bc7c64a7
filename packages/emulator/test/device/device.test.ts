// The interface of a device whose engine is a function of the test: modules, printing, events, lifetimes,
// options.
import { describe, expect, it, vi } from "vitest";
import { ARGS, fakeDevice, SHAPE } from "./fake.js";

describe("modules", () => {
  it("have their variables in memory, with addresses in them", async () => {
    using device = fakeDevice();
    const module = device.load("");
    expect([module.kernels, module.globals]).toEqual([["scale"], ["table"]]);
    const table = module.global("table");
    const words = new DataView((await table.read()).buffer);
    expect([words.getUint32(0, true), words.getUint32(4, true), words.getBigUint64(8, true)]).toEqual([
      1,
      2,
      table.address + 4n,
    ]);
  });

  it("list their names when one is not found", () => {
    using device = fakeDevice();
    const module = device.load("");
    expect(() => module.kernel("scael")).toThrowError(
      expect.objectContaining({
        code: "NOT_FOUND",
        message: "expected a kernel of the module (`scale`), found `scael`, did you mean `scale`?",
      }),
    );
    expect(() => module.global("x")).toThrowError(
      /^expected a variable of the module \(`table`\), found `x`$/,
    );
  });

  it("describe their kernels", () => {
    using device = fakeDevice();
    const { parameters, attributes } = device.load("").kernel("scale");
    expect(parameters).toEqual([
      { name: "data", type: "u64", offset: 0, bytes: 8, align: 4 },
      { name: "factor", type: "f32", offset: 8, bytes: 4, align: 4 },
      { name: "pair", type: "b8", length: 8, offset: 12, bytes: 8, align: 4 },
    ]);
    expect(attributes).toEqual({
      maxThreadsPerBlock: 1024,
      sharedBytes: 1024,
      localBytes: 0,
      registers: undefined,
    });
  });

  it("are PTX, as a string or as bytes", () => {
    using device = fakeDevice();
    expect(device.load(new Uint8Array([0x2e, 0])).kernels).toEqual(["scale"]);
    const elf = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2]);
    expect(() => device.load(elf)).toThrowError(
      expect.objectContaining({
        code: "UNSUPPORTED",
        message:
          "expected PTX, found a cubin, which is machine code: load the PTX or the filled kernel that it was compiled from",
      }),
    );
    expect(() => device.load(new Uint8Array([0xff, 1]))).toThrow(
      "expected PTX, found bytes that are not UTF-8",
    );
    expect(() => device.load(1 as never)).toThrow(
      "expected PTX as a string, as bytes, as a filled kernel or as a pack, found 1",
    );
  });
});

describe("what kernels print", () => {
  const printing = (onPrint?: (text: string) => void) =>
    fakeDevice(
      ({ hooks }) => {
        for (const text of ["a", "b\nc", "\n", "d"]) hooks.print(text);
        return undefined;
      },
      onPrint === undefined ? {} : { onPrint },
    );

  it("goes to `onPrint`, once per call", async () => {
    const pieces: string[] = [];
    using device = printing((text) => pieces.push(text));
    await device.stream.run(device.load("").kernel("scale"), SHAPE, ARGS(device));
    expect(pieces).toEqual(["a", "b\nc", "\n", "d"]);
  });

  it("goes to the console line by line by default", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    using device = printing();
    await device.stream.run(device.load("").kernel("scale"), SHAPE, ARGS(device));
    expect(log.mock.calls).toEqual([["ab"], ["c"], ["d"]]);
    log.mockRestore();
  });
});

describe("events", () => {
  it("are done when the stream reaches them, and measure the time between them", async () => {
    using device = fakeDevice();
    const [start, end] = [device.createEvent(), device.createEvent()];
    expect(start.done).toBe(true);
    device.stream.record(start);
    device.stream.launch(device.load("").kernel("scale"), SHAPE, ARGS(device));
    device.stream.record(end);
    device.createStream().wait(end);
    expect(end.done).toBe(false);
    expect(() => end.elapsedSince(start)).toThrow("expected two completed events, found a pending one");
    await end.synchronize();
    expect([end.done, end.elapsedSince(start) >= 0]).toEqual([true, true]);
  });
});

describe("a device", () => {
  it("has no graphs, which are UNSUPPORTED", () => {
    expect(() => fakeDevice().stream.capture(() => {})).toThrowError(
      expect.objectContaining({ code: "UNSUPPORTED" }),
    );
  });

  it("waits for queued work in disposeAsync", async () => {
    let finish = () => {};
    const held = new Promise<undefined>((resolve) => {
      finish = () => resolve(undefined);
    });
    const device = fakeDevice(() => held);
    const kernel = device.load("").kernel("scale");
    device.stream.launch(kernel, SHAPE, ARGS(device));
    const ended: string[] = [];
    const disposal = device.disposeAsync().then(() => ended.push("device"));
    await new Promise((resolve) => setImmediate(resolve));
    ended.push("kernel");
    finish();
    await disposal;
    await device[Symbol.asyncDispose]();
    expect([...ended, device.disposed]).toEqual(["kernel", "device", true]);
  });

  it("refuses to use disposed objects, which may be disposed twice and in any order", async () => {
    const device = fakeDevice();
    const module = device.load("");
    const kernel = module.kernel("scale");
    const prepared = kernel.prepare(SHAPE, ARGS(device));
    const [buffer, stream, event, host] = [
      device.allocate(4),
      device.createStream(),
      device.createEvent(),
      device.allocateHost(8),
    ];
    const all = [event, buffer, module, stream, host];
    for (const one of all) one.dispose();
    for (const one of all) one[Symbol.dispose]();
    expect(all.map(({ disposed }) => disposed)).toEqual([true, true, true, true, true]);
    expect(host.buffer.byteLength).toBe(0);
    const disposed = expect.objectContaining({ code: "DISPOSED" });
    await expect(buffer.read()).rejects.toEqual(disposed);
    await expect(stream.synchronize()).rejects.toEqual(disposed);
    await expect(event.synchronize()).rejects.toEqual(disposed);
    for (const work of [
      () => module.kernel("scale"),
      () => module.global("table"),
      () => device.stream.launch(kernel, SHAPE, ARGS(device)),
      () => device.stream.launch(prepared),
      () => device.stream.record(event),
      () => buffer.part(0),
    ]) {
      expect(work).toThrowError(disposed);
    }
    device.dispose();
    device.dispose();
    for (const work of [() => device.allocate(1), () => device.load(""), () => device.createStream()]) {
      expect(work).toThrowError(disposed);
    }
    await expect(device.synchronize()).rejects.toEqual(disposed);
  });

  it("checks its options", () => {
    const opened = (options: object) => () => fakeDevice(undefined, options);
    expect(opened({ engin: "auto" })).toThrow("unknown option `engin`, did you mean `engine`?");
    expect(opened({ engine: "gpu" })).toThrow(
      "option `engine`: expected `auto`, `webassembly`, `interpreter`, found `gpu`",
    );
    expect(opened({ memoryBytes: 2 ** 32 })).toThrow(
      "option `memoryBytes`: expected a whole number from 1 to 4261412864",
    );
    expect(opened({ check: { races: 1 } })).toThrow("option `check.races`: expected a boolean, found 1");
    expect(opened({ engine: "interpretr" })).toThrow("did you mean `interpreter`?");
    expect(opened({ onPrint: 1 })).toThrow("option `onPrint`: expected a function, found 1");
    expect(opened({ check: { rases: true } })).toThrow("did you mean `races`?");
  });
});
