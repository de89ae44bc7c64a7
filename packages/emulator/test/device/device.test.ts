// The interface of a device, with an engine that the test plays: memory, copies, order, arguments, lifetimes.
import { bytes, type Device, f32, type LaunchArgument, u32 } from "@mm-ptx/types/core";
import { describe, expect, it, vi } from "vitest";
import type { EngineName } from "../../src/device/options.js";
import type { Program } from "../../src/program/program.js";
import type { Launch } from "../../src/run/launch.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { fakeDevice, fakeProgram } from "./fake.js";

const ARGS = (device: Device): LaunchArgument[] => [device.allocate(4), f32(2), bytes(new Uint8Array(8))];
const SHAPE = { grid: 1, block: 32 };

describe("buffers", () => {
  it("are 0 first, hold what is copied, and are read as their elements", async () => {
    using device = fakeDevice();
    const buffer = device.allocateFloat32(4);
    expect([buffer.byteLength, buffer.length, await buffer.read()]).toEqual([16, 4, new Float32Array(4)]);
    await buffer.copyFrom(new Float32Array([1, 2]), { offset: 8 });
    expect(await buffer.read()).toEqual(new Float32Array([0, 0, 1, 2]));
    const target = new Uint16Array(2);
    await buffer.copyTo(target, { offset: 8 });
    expect(target).toEqual(new Uint16Array([0, 0x3f80]));
    await buffer.copyFrom(new Uint8Array([0xff]).buffer);
    expect((await buffer.as(Uint32Array).read())[0]).toBe(0xff);
  });

  it("have the elements that were asked for", async () => {
    using device = fakeDevice();
    expect(await device.allocateFloat64(2).read()).toEqual(new Float64Array(2));
    expect(await device.allocateInt32(2).read()).toEqual(new Int32Array(2));
    expect(await device.allocateUint32(2).read()).toEqual(new Uint32Array(2));
    expect(await device.allocate(2).read()).toEqual(new Uint8Array(2));
    expect(await device.allocate(7).as(Uint16Array).read()).toEqual(new Uint16Array(3));
  });

  it("copy to each other, also within one", async () => {
    using device = fakeDevice();
    const [a, b] = [device.allocate(8), device.allocate(4)];
    await a.copyFrom(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]));
    await b.copyFrom(a.part(2, 4));
    expect([...(await b.read())]).toEqual([3, 4, 5, 6]);
    await a.copyTo(a.part(1, 7));
    expect([...(await a.read())]).toEqual([1, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    [0xabcd, 2, [0xcd, 0xab, 0xcd, 0xab, 0xcd, 0xab, 0xcd, 0xab]],
    [0x11223344, 4, [0x44, 0x33, 0x22, 0x11, 0x44, 0x33, 0x22, 0x11]],
    [7, 1, [7, 7, 7, 7, 7, 7, 7, 7]],
  ] as const)("are filled with %i of %i bytes", async (pattern, width, expected) => {
    using device = fakeDevice();
    const buffer = device.allocate(8);
    await buffer.fill(pattern, { width });
    expect([...(await buffer.read())]).toEqual(expected);
  });

  it("stay for their parts, and are given back after the work that was queued", async () => {
    let seen = 0;
    using device = fakeDevice((launch) => {
      seen = new DataView(launch.loaded.memory.memory.buffer).getUint32(
        Number(new DataView(launch.params.buffer).getBigUint64(0, true)) - ADDRESS_BASE,
        true,
      );
      return undefined;
    });
    const { free } = device.memoryInfo();
    const buffer = device.allocateUint32(4);
    const part = buffer.part(4, 4);
    void part.copyFrom(new Uint32Array([5]));
    device.stream.launch(device.load("").kernel("scale"), SHAPE, [part, f32(1), bytes(new Uint8Array(8))]);
    buffer.dispose();
    buffer.dispose();
    part.dispose();
    await device.synchronize();
    expect(seen).toBe(5);
    // What the module's variable takes, and the page behind.
    expect(device.memoryInfo().free).toBe(free - 512);
  });

  it.each<[string, (device: Device) => unknown, string]>([
    [
      "too little room",
      (d) => d.allocate(8).copyFrom(new Uint8Array(9)),
      "expected a source that fits a buffer of 8 bytes, found one of 9 bytes",
    ],
    [
      "too little behind an offset",
      (d) => d.allocate(8).copyTo(new Uint8Array(8), { offset: 1 }),
      "expected a target that fits a buffer of 8 bytes from byte 1 on, found one of 8 bytes",
    ],
    [
      "no array",
      (d) => d.allocate(8).copyFrom([1] as never),
      "expected a typed array, an ArrayBuffer or a buffer as source, found an array",
    ],
    [
      "a fraction",
      (d) => d.allocate(1.5),
      "expected `bytes` as a whole number from 0 to 1125899906842624, found 1.5",
    ],
    [
      "no number",
      (d) => d.allocate(NaN),
      "expected `bytes` as a whole number from 0 to 1125899906842624, found NaN",
    ],
    [
      "a negative length",
      (d) => d.allocateFloat32(-1),
      "expected `length` as a whole number from 0 to 1125899906842624, found -1",
    ],
    [
      "a part beyond",
      (d) => d.allocate(8).part(4, 5),
      "expected `byteLength` as a whole number from 0 to 4, found 5",
    ],
    [
      "a wide pattern",
      (d) => d.allocate(8).fill(256),
      "expected `pattern` as a whole number from 0 to 255, found 256",
    ],
    [
      "half a pattern",
      (d) => d.allocate(7).fill(1, { width: 2 }),
      "expected `byteLength` as a multiple of 2, found 7",
    ],
    [
      "a misspelt option",
      (d) => d.allocate(8).fill(1, { widht: 2 } as never),
      "expected options (offset, byteLength, width, stream), found `widht`, did you mean `width`?",
    ],
    [
      "a buffer of another device",
      (d) => d.allocate(8).copyFrom(fakeDevice().allocate(8)),
      "expected a buffer of this device, found one of another",
    ],
    [
      "a stream of another device",
      (d) => d.allocate(8).fill(1, { stream: fakeDevice().stream }),
      "expected a stream of this device, found one of another",
    ],
    [
      "no elements",
      (d) => d.allocate(8).as({} as never),
      "expected the class of a typed array, found an object",
    ],
  ])("refuse %s", async (_, work, message) => {
    using device = fakeDevice();
    await expect((async () => work(device))()).rejects.toMatchObject({ code: "INVALID_INPUT", message });
  });

  it("that do not fit the memory are OUT_OF_MEMORY, with the sizes", () => {
    using device = fakeDevice();
    expect(() => device.allocate(2 ** 25)).toThrowError(
      expect.objectContaining({
        code: "OUT_OF_MEMORY",
        message:
          "expected room for 33554432 bytes (buffer 1), found 16777216 bytes of memory, of which 16777216 are free",
      }),
    );
  });
});

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

  it("name what they have", () => {
    using device = fakeDevice();
    const module = device.load("");
    expect(() => module.kernel("scael")).toThrowError(
      expect.objectContaining({
        code: "UNKNOWN_NAME",
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
      { name: "data", type: "u64", offset: 0, size: 8 },
      { name: "factor", type: "f32", offset: 8, size: 4 },
      { name: "pair", type: undefined, offset: 12, size: 8 },
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
        message: "expected PTX, found machine code (an ELF file)",
      }),
    );
    expect(() => device.load(new Uint8Array([0xff, 1]))).toThrow(
      "expected PTX, found bytes that are no UTF-8",
    );
    expect(() => device.load(1 as never)).toThrow("expected PTX as a string or as bytes, found 1");
  });
});

describe("launches", () => {
  it("get their shape, their parameters and their limits", async () => {
    const launches: Launch[] = [];
    using device = fakeDevice(
      (launch) => {
        launches.push(launch);
        return undefined;
      },
      { limits: { instructions: 1000, timeoutMs: Infinity }, check: { races: true } },
    );
    const kernel = device.load("").kernel("scale");
    const data = device.allocate(4);
    const pair = bytes(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]));
    device.stream.launch(kernel, { grid: [2, 3], block: 64, sharedBytes: 16 }, [data, f32(1), pair]);
    expect(launches).toHaveLength(0);
    await device.stream.synchronize();
    const { grid, block, dynamicSharedBytes, params, limits, hooks } = launches[0]!;
    expect([grid, block, dynamicSharedBytes]).toEqual([[2, 3, 1], [64, 1, 1], 16]);
    expect(Buffer.from(params).toString("hex")).toBe(
      `${Buffer.from(new BigUint64Array([data.address]).buffer).toString("hex")}0000803f0102030405060708`,
    );
    expect(limits).toEqual({ instructions: 1000, deadline: Infinity, signal: undefined });
    expect([hooks.races, hooks.uninitialized, hooks.trace, hooks.counts]).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  it("run in the order in which they were asked for, on whatever stream, copies between them", async () => {
    const order: string[] = [];
    using device = fakeDevice(async ({ grid }) => {
      await new Promise((resolve) => setTimeout(resolve, 3 - grid[0]));
      order.push(`${grid[0]}`);
      return undefined;
    });
    const kernel = device.load("").kernel("scale");
    const other = device.createStream();
    device.stream.launch(kernel, { grid: 1, block: 1 }, ARGS(device));
    const copied = device
      .allocate(1)
      .fill(1, { stream: other })
      .then(() => order.push("fill"));
    other.launch(kernel, { grid: 2, block: 1 }, ARGS(device));
    const prepared = kernel.prepare({ grid: 3, block: 1 }, ARGS(device));
    other.launchMany([prepared, prepared]);
    await Promise.all([device.synchronize(), copied]);
    expect(order).toEqual(["1", "fill", "2", "3", "3"]);
  });

  it("report the engine and the counts", async () => {
    using device = fakeDevice(({ hooks }) => {
      if (hooks.counts) hooks.counts[0]![1] = 7;
      return undefined;
    });
    const kernel = device.load("").kernel("scale");
    expect((await device.stream.run(kernel, { ...SHAPE, counts: true }, ARGS(device))).counts).toEqual([
      new Float64Array([0, 7, 0, 0]),
    ]);
    expect((await device.stream.run(kernel, SHAPE, ARGS(device))).counts).toBeUndefined();
  });

  it("tell each step of the traced thread", async () => {
    const steps: unknown[] = [];
    using device = fakeDevice(({ hooks }) => {
      expect([hooks.trace!.block, hooks.trace!.thread]).toEqual([
        [0, 0, 0],
        [3, 0, 0],
      ]);
      hooks.trace!.step({ function: 0, instruction: 0, values: [0x7f0000000100n, 0x40000000n] });
      return undefined;
    });
    const kernel = device.load("").kernel("scale");
    const trace = { thread: [3, 0, 0] as const, onStep: (step: unknown) => steps.push(step) };
    await device.stream.run(kernel, { ...SHAPE, trace }, ARGS(device));
    expect(steps).toEqual([
      {
        function: "scale",
        line: 7,
        instruction: "st.global.f32 [%rd1+0], %f1",
        values: [
          { register: "%rd1", type: "u64", bits: 0x7f0000000100n, text: "0x7f0000000100" },
          { register: "%f1", type: "f32", bits: 0x40000000n, text: "2" },
        ],
      },
    ]);
  });

  it("choose the engine that can", async () => {
    const engineOf = async (engine: EngineName, translates: boolean, counts = false) => {
      using device = fakeDevice(() => undefined, { engine }, fakeProgram(), translates);
      const kernel = device.load("").kernel("scale");
      return (await device.stream.run(kernel, { grid: 100, block: 32, counts }, ARGS(device))).engine;
    };
    expect(await engineOf("auto", true)).toBe("webassembly");
    expect(await engineOf("webassembly", true)).toBe("webassembly");
    expect(await engineOf("interpreter", true)).toBe("interpreter");
    expect(await engineOf("auto", false)).toBe("interpreter");
    expect(await engineOf("auto", true, true)).toBe("interpreter");
    await expect(engineOf("webassembly", false)).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: "expected kernel `scale` as WebAssembly can run it, found a fake",
    });
    await expect(engineOf("webassembly", true, true)).rejects.toThrow("found counts of instructions");
  });

  it("are interpreted as long as translating is more work, and can't take longer", async () => {
    const enginesOf = async (program: Program, blocks: readonly number[]) => {
      using device = fakeDevice(() => undefined, {}, program, true);
      const kernel = device.load("").kernel("scale");
      const engines: string[] = [];
      for (const grid of blocks) {
        engines.push((await device.stream.run(kernel, { grid, block: 32 }, ARGS(device))).engine);
      }
      return engines;
    };
    // Four instructions, of which the third jumps: 128 a block.
    const ahead = { kind: "label", name: "$L", target: 3 } as const;
    const { instructions } = fakeProgram().functions[0]!;
    const straight = instructions.map((one, i) => (i === 2 ? { ...one, operands: [ahead] } : one));
    const looping = instructions.map((one, i) =>
      i === 2 ? { ...one, operands: [{ ...ahead, target: 0 }] } : one,
    );
    expect(await enginesOf(fakeProgram({ instructions: straight }), [20, 20, 20])).toEqual([
      "interpreter",
      "interpreter",
      "webassembly",
    ]);
    expect(await enginesOf(fakeProgram({ instructions: looping }), [1])).toEqual(["webassembly"]);
  });

  it.each<[string, object, string]>([
    ["no blocks", { grid: 0 }, "expected a whole number from 1 to 2147483647 as grid.x, found 0"],
    [
      "too many blocks",
      { grid: [1, 65536] },
      "expected a whole number from 1 to 65535 as grid.y, found 65536",
    ],
    [
      "too many threads",
      { block: [32, 33] },
      "expected at most 1024 threads in a block, found 32 x 33 x 1, which are 1056",
    ],
    ["a deep block", { block: [1, 1, 65] }, "expected a whole number from 1 to 64 as block.z, found 65"],
    [
      "four dimensions",
      { block: [1, 1, 1, 1] },
      "expected `block` as a number, or as 1 to 3 of them, found 4",
    ],
    ["words", { block: "32" }, "expected a whole number from 1 to 1024 as block.x, found `32`"],
    ["nothing", { block: undefined }, "expected a whole number from 1 to 1024 as block.x, found undefined"],
    [
      "much shared memory",
      { sharedBytes: 48 * 1024 },
      "expected at most 48128 bytes of dynamic shared memory for kernel `scale`, found 49152; `setDynamicShared` allows more",
    ],
    ["a share of a byte", { sharedBytes: 0.5 }, "expected `sharedBytes` as a whole number, found 0.5"],
    [
      "a misspelt option",
      { gird: 1 },
      "expected options (grid, block, sharedBytes, limits, trace, counts, onProgress), found `gird`, did you mean `grid`?",
    ],
    ["no limit", { limits: { timeoutMs: 0 } }, "expected `timeoutMs` as a number above 0, found 0"],
    ["no signal", { limits: { signal: 1 } }, "expected `signal` as an AbortSignal, found 1"],
    [
      "a thread that is not there",
      { trace: { thread: [32, 0, 0], onStep() {} } },
      "expected `thread` of the trace inside of 32 x 1 x 1, found (32, 0, 0)",
    ],
    ["a trace for nobody", { trace: {} }, "expected `onStep` as a function, found undefined"],
  ])("refuse %s", (_, options, message) => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    const launch = () => device.stream.launch(kernel, { ...SHAPE, ...options }, ARGS(device));
    expect(launch).toThrowError(expect.objectContaining({ code: "INVALID_INPUT", message }));
  });

  it("keep to what the kernel says", () => {
    const refusal = (name: string, values: number[], block: number) => {
      using device = fakeDevice(undefined, {}, fakeProgram({ directives: [{ name, values }] }));
      const kernel = device.load("").kernel("scale");
      device.stream.launch(kernel, { grid: 1, block }, ARGS(device));
    };
    expect(() => refusal(".maxntid", [16, 2, 1], 33)).toThrow(
      "expected at most 32 threads in a block as `.maxntid` of kernel `scale` says, found 33 x 1 x 1, which are 33",
    );
    expect(() => refusal(".maxntid", [16, 2, 1], 32)).not.toThrow();
    expect(() => refusal(".reqntid", [16, 2], 32)).toThrow(
      "expected a block of 16 x 2 x 1 as `.reqntid` of kernel `scale` says, found 32 x 1 x 1",
    );
  });

  it("may have more shared memory once that is allowed", () => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    kernel.setDynamicShared(100_000);
    expect(() =>
      device.stream.launch(kernel, { ...SHAPE, sharedBytes: 100_000 }, ARGS(device)),
    ).not.toThrow();
    expect(() => kernel.setDynamicShared(227 * 1024)).toThrow("`bytes` as a whole number from 0 to 231424");
  });

  it("refuse arguments that do not fit, and those that state no type", () => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    const [buffer, , pair] = ARGS(device);
    const launch = (args: unknown[]) => () => device.stream.launch(kernel, SHAPE, args as never);
    const wrong = (message: string) => expect.objectContaining({ code: "WRONG_ARGUMENT", message });
    expect(launch([buffer])).toThrowError(wrong("expected 3 arguments for kernel `scale`, found 1"));
    expect(launch([buffer, u32(1), pair])).toThrowError(
      wrong("expected f32 as argument 2 of kernel `scale` (`factor`), found u32"),
    );
    expect(launch([buffer, 2, pair])).toThrowError(TypeError);
    expect(launch([fakeDevice().allocate(4), f32(1), pair])).toThrow("expected a buffer of this device");
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

  it("goes to whoever asked, piece by piece", async () => {
    const pieces: string[] = [];
    using device = printing((text) => pieces.push(text));
    await device.stream.run(device.load("").kernel("scale"), SHAPE, ARGS(device));
    expect(pieces).toEqual(["a", "b\nc", "\n", "d"]);
  });

  it("goes to the console by lines otherwise", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    using device = printing();
    await device.stream.run(device.load("").kernel("scale"), SHAPE, ARGS(device));
    expect(log.mock.calls).toEqual([["ab"], ["c"], ["d"]]);
    log.mockRestore();
  });
});

describe("events", () => {
  it("are done when the stream got there, and tell the time between", async () => {
    using device = fakeDevice();
    const [start, end] = [device.createEvent(), device.createEvent()];
    expect(start.done).toBe(true);
    device.stream.record(start);
    device.stream.launch(device.load("").kernel("scale"), SHAPE, ARGS(device));
    device.stream.record(end);
    device.createStream().wait(end);
    expect(end.done).toBe(false);
    expect(() => end.elapsedSince(start)).toThrow("expected two events that are done, found one that is not");
    await end.synchronize();
    expect([end.done, end.elapsedSince(start) >= 0]).toEqual([true, true]);
  });
});

describe("what a device lacks or lost", () => {
  it("graphs are UNSUPPORTED", () => {
    expect(() => fakeDevice().stream.capture(() => {})).toThrowError(
      expect.objectContaining({ code: "UNSUPPORTED" }),
    );
  });

  it("whatever was disposed says so, twice without harm, in any order", async () => {
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

  it("options are checked", () => {
    const opened = (options: object) => () => fakeDevice(undefined, options);
    expect(opened({ engin: "auto" })).toThrow("found `engin`, did you mean `engine`?");
    expect(opened({ engine: "gpu" })).toThrow(
      "expected `engine` as one of auto, webassembly, interpreter, found `gpu`",
    );
    expect(opened({ memoryBytes: 2 ** 32 })).toThrow(
      "expected `memoryBytes` as a whole number from 1 to 4261412864",
    );
    expect(opened({ check: { races: 1 } })).toThrow("expected `races` as a boolean, found 1");
    expect(opened({ onPrint: 1 })).toThrow("expected `onPrint` as a function, found 1");
    expect(opened({ check: { rases: true } })).toThrow("did you mean `races`?");
  });
});
