// Launches on an engine that is a function of the test: what it receives, in which order, and what is refused
// before.
import { bytes, f32, u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import type { EngineName } from "../../src/device/options.js";
import type { Program } from "../../src/program/program.js";
import type { Launch } from "../../src/run/launch.js";
import { ARGS, fakeDevice, fakeProgram, SHAPE } from "./fake.js";

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
    expect(hooks.checks).toMatchObject({ memory: false, races: true, uninitialized: false, sync: false });
    expect([hooks.trace, hooks.counts]).toEqual([undefined, undefined]);
  });

  it("have the device's limits if they leave theirs undefined, and a timeout by default", async () => {
    const found: unknown[] = [];
    const play = ({ limits }: Launch) => {
      found.push([limits.instructions, Number.isFinite(limits.deadline)]);
      return undefined;
    };
    const undefinedLimits = { instructions: undefined, timeoutMs: undefined } as object;
    for (const limits of [undefinedLimits, { instructions: 7 }]) {
      using device = fakeDevice(play, { limits });
      await device.stream.run(
        device.load("").kernel("scale"),
        { ...SHAPE, limits: undefinedLimits },
        ARGS(device),
      );
    }
    expect(found).toEqual([
      [Infinity, true],
      [7, true],
    ]);
  });

  it("run in the order of their calls, on any stream, with copies in between", async () => {
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

  it("are refused if reading their array disposes the stream", async () => {
    let launched = 0;
    using device = fakeDevice(() => {
      launched++;
      return undefined;
    });
    const stream = device.createStream();
    const prepared = device.load("").kernel("scale").prepare(SHAPE, ARGS(device));
    const launches = [prepared, prepared];
    Object.defineProperty(launches, 1, {
      get: () => {
        stream.dispose();
        return prepared;
      },
    });
    expect(() => stream.launchMany(launches)).toThrow(expect.objectContaining({ code: "DISPOSED" }));
    const options = {
      ...SHAPE,
      get grid() {
        device.stream.dispose();
        return 1;
      },
    };
    expect(() => device.stream.launch(prepared.kernel, options, ARGS(device))).toThrow(
      expect.objectContaining({ code: "DISPOSED" }),
    );
    await device.synchronize().catch(() => {});
    expect(launched).toBe(0);
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

  it.each([
    [3, [3, 0, 0]],
    [[3], [3, 0, 0]],
    [
      [3, 0],
      [3, 0, 0],
    ],
  ] as const)("may name the traced thread as they name sizes: %j", async (thread, expected) => {
    const found: unknown[] = [];
    using device = fakeDevice(({ hooks }) => {
      found.push(hooks.trace!.block, hooks.trace!.thread);
      return undefined;
    });
    const options = { ...SHAPE, trace: { thread, onStep() {} } };
    await device.stream.run(device.load("").kernel("scale"), options, ARGS(device));
    expect(found).toEqual([[0, 0, 0], expected]);
  });

  it("report each step of the traced thread", async () => {
    const steps: unknown[] = [];
    using device = fakeDevice(({ hooks }) => {
      expect([hooks.trace!.block, hooks.trace!.thread]).toEqual([
        [0, 0, 0],
        [3, 0, 0],
      ]);
      hooks.trace!.step({
        function: 0,
        instruction: 0,
        read: (register) => [0x7f0000000100n, 0x40000000n][register]!,
      });
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
        frames: [],
        values: [
          { register: "%rd1", type: "b64", bits: 0x7f0000000100n, text: "0x7f0000000100" },
          { register: "%f1", type: "f32", bits: 0x40000000n, text: "2" },
        ],
      },
    ]);
  });

  it("choose an engine that can run them", async () => {
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
      message: "expected a kernel `scale` that WebAssembly can run, found a fake",
    });
    await expect(engineOf("webassembly", true, true)).rejects.toThrow("found instruction counts");
  });

  it("are interpreted while translating would be more work, unless they might loop", async () => {
    const enginesOf = async (program: Program, blocks: readonly number[]) => {
      using device = fakeDevice(() => undefined, {}, program, true);
      const kernel = device.load("").kernel("scale");
      const engines: string[] = [];
      for (const grid of blocks) {
        engines.push((await device.stream.run(kernel, { grid, block: 32 }, ARGS(device))).engine);
      }
      return engines;
    };
    // Four instructions, of which the third jumps: 128 per block.
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
    ["a misspelt option", { gird: 1 }, "unknown option `gird`, did you mean `grid`?"],
    [
      "no limit",
      { limits: { timeoutMs: 0 } },
      "option `limits.timeoutMs`: expected a number above 0, found 0",
    ],
    ["no signal", { limits: { signal: 1 } }, "option `limits.signal`: expected an AbortSignal, found 1"],
    [
      "a thread that is not there",
      { trace: { thread: [32, 0, 0], onStep() {} } },
      "expected `thread` of the trace within 32 x 1 x 1, found (32, 0, 0)",
    ],
    [
      "an invalid thread",
      { trace: { thread: "0", onStep() {} } },
      "expected `thread` of the trace within 32 x 1 x 1, found `0`",
    ],
    [
      "a block of too many indices",
      { trace: { block: [0, 0, 0, 0], onStep() {} } },
      "expected `block` of the trace within 1 x 1 x 1, found (0, 0, 0, 0)",
    ],
    [
      "a trace without a callback",
      { trace: {} },
      "option `trace.onStep`: expected a function, found undefined",
    ],
  ])("refuse %s", (_, options, message) => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    const launch = () => device.stream.launch(kernel, { ...SHAPE, ...options }, ARGS(device));
    expect(launch).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
  });

  it("respect the kernel's directives", () => {
    const refusal = (name: string, values: number[], block: number) => {
      using device = fakeDevice(undefined, {}, fakeProgram({ directives: [{ name, values }] }));
      const kernel = device.load("").kernel("scale");
      device.stream.launch(kernel, { grid: 1, block }, ARGS(device));
    };
    expect(() => refusal(".maxntid", [16, 2, 1], 33)).toThrow(
      "expected at most 32 threads in a block as kernel `scale` allows, found 33 x 1 x 1, which are 33",
    );
    expect(() => refusal(".maxntid", [16, 2, 1], 32)).not.toThrow();
    expect(() => refusal(".reqntid", [16, 2], 32)).toThrow(
      "expected a block of 16 x 2 x 1 as `.reqntid` of kernel `scale` says, found 32 x 1 x 1",
    );
  });

  it("may have more shared memory after `setDynamicShared`", () => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    kernel.setDynamicShared(100_000);
    expect(() =>
      device.stream.launch(kernel, { ...SHAPE, sharedBytes: 100_000 }, ARGS(device)),
    ).not.toThrow();
    expect(() => kernel.setDynamicShared(227 * 1024)).toThrow("`bytes` as a whole number from 0 to 231424");
  });

  it("refuse arguments that do not fit, or have no type", () => {
    using device = fakeDevice();
    const kernel = device.load("").kernel("scale");
    const [buffer, , pair] = ARGS(device);
    const launch = (args: unknown[]) => () => device.stream.launch(kernel, SHAPE, args as never);
    const wrong = (message: string) => expect.objectContaining({ code: "INVALID_ARGUMENT", message });
    expect(launch([buffer])).toThrowError(wrong("expected 3 arguments for kernel `scale`, found 1"));
    expect(launch([buffer, u32(1), pair])).toThrowError(
      wrong("expected f32 as argument 2 of kernel `scale` (`factor`), found u32"),
    );
    expect(launch(undefined as never)).toThrowError(
      wrong("expected an array of arguments for kernel `scale`, found undefined"),
    );
    expect(launch([buffer, 2, pair])).toThrowError(TypeError);
    expect(launch([fakeDevice().allocate(4), f32(1), pair])).toThrow("expected a buffer of this device");
  });
});

it("the event loop runs while short launches are awaited one after the other", async () => {
  using device = fakeDevice();
  const kernel = device.load("").kernel("scale");
  const args = ARGS(device);
  let isTurn = false;
  setTimeout(() => {
    isTurn = true;
  });
  for (let launches = 0; !isTurn && launches < 200_000; launches++) {
    await device.stream.run(kernel, SHAPE, args);
  }
  expect(isTurn).toBe(true);
});
