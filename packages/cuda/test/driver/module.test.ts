// Modules and kernels over a fake driver: loading, lookup, and attributes.

import { filledKernel } from "@mm-ptx/types/core";
import type { ModuleSource } from "@mm-ptx/types/device";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PtxCompileError, PtxCompiler } from "../../src/index.js";
import { fakeDevice, PTX, thrownBy } from "./support/device.js";
import { HAS_FAKE_DRIVER } from "./support/fake-driver.js";

const suite = describe.skipIf(!HAS_FAKE_DRIVER);

const compiled = (): Uint8Array => {
  using compiler = new PtxCompiler({ arch: "sm_90", workers: 1 });
  return compiler.compileSync(PTX).cubin;
};
/** `PTX` with `text` in place of its first `ret`. */
function filledWith(stub: string) {
  const at = PTX.indexOf("\tret;");
  const segments = [PTX.slice(0, at), PTX.slice(at + "\tret;".length)];
  const [before, after] = segments.map((text) => text.split("\n").length - 1) as [number, number];
  const lines = [
    { kernelLine: 1, lines: before, head: 0, tail: 0 },
    { kernelLine: before + 1, lines: after, head: 0, tail: 0 },
  ];
  return filledKernel({ names: ["func"], segments, holes: [0], lines }, { func: stub });
}
/** A header followed by the cubin. */
function fatbinOf(cubin: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(16));
  header.setUint32(0, 0xba55ed50, true);
  header.setUint16(4, 1, true);
  header.setUint16(6, header.byteLength, true);
  header.setBigUint64(8, BigInt(cubin.length), true);
  return new Uint8Array([...new Uint8Array(header.buffer), ...cubin]);
}
const BAD = "INVALID_ARGUMENT";
const TYPED = [
  { name: "a", type: "u8", offset: 0, bytes: 1, align: 1 },
  { name: "b", type: "s16", offset: 2, bytes: 2, align: 2 },
  { name: "c", type: "f16", offset: 4, bytes: 2, align: 2 },
  { name: "d", type: "b64", offset: 8, bytes: 8, align: 8 },
  { name: "e", type: "f64", offset: 16, bytes: 8, align: 8 },
  { name: "f", type: "b8", length: 12, offset: 24, bytes: 12, align: 4 },
];
const NAMES = ["nothing", "required", "scale", "typed"];

suite("a module", () => {
  it("of PTX is compiled for the device, blocking or not", async () => {
    const { device } = fakeDevice();
    for (const module of [
      device.load(PTX),
      await device.loadAsync(PTX),
      device.load(`${PTX}\0`),
      device.load(Buffer.from(`${PTX}\0\0`)),
    ]) {
      expect([...module.kernels].sort()).toEqual(NAMES);
      expect(module.globals).toEqual(["table"]);
      expect(module.kernel("typed").parameters).toEqual(TYPED);
      expect(module.jitLog).toBeUndefined();
      expect(module.device).toBe(device);
    }
  });

  it.each([
    ["9", "0", "sm_75", "sm_90"],
    ["9", "0", "sm_90a", "sm_90a"],
    ["9", "1", "sm_75", "sm_90"],
    ["10", "3", "sm_100f", "sm_103f"],
    ["12", "0", "sm_100f", undefined],
  ] as const)("of PTX on a device %s.%s is compiled from %s for %s", (major, minor, target, arch) => {
    const { device } = fakeDevice({}, [`attribute 75 ${major}`, `attribute 76 ${minor}`]);
    const compile = vi.spyOn(PtxCompiler.prototype, "compileSync");
    onTestFinished(() => compile.mockRestore());
    const ptx = PTX.replace("7.5", "8.8").replace("sm_75", target);
    if (arch === undefined) expect(thrownBy(() => device.load(ptx))).toBeInstanceOf(PtxCompileError);
    else device.load(ptx);
    const [{ options }] = compile.mock.contexts as unknown as [PtxCompiler];
    expect(options.arch).toBe(arch ?? device.arch);
  });

  it("of PTX on a device that is newer than the compiler is left to the driver or refused", () => {
    const { device } = fakeDevice({}, ["attribute 75 14"]);
    expect(thrownBy(() => device.load(PTX))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("found sm_140; with `jit: true`, the driver compiles the PTX"),
    });
    expect(device.load(PTX, { jit: true }).kernels).toContain("scale");
  });

  it("of PTX is passed to the driver's compiler on request", async () => {
    const { device } = fakeDevice();
    const options = { jit: true, maxRegisters: 32, optimizationLevel: 2 };
    for (const module of [device.load(PTX, options), await device.loadAsync(PTX, options)]) {
      expect([...module.kernels].sort()).toEqual(NAMES);
      expect(module.globals).toEqual(["table"]);
      expect(module.kernel("typed").parameters).toEqual(TYPED);
      expect(module.jitLog).toBeTypeOf("string");
    }
  });

  it("of a compiled result has the parameters of its PTX, also from a copy", () => {
    const { device } = fakeDevice();
    using compiler = new PtxCompiler({ arch: "sm_90", workers: 1 });
    const result = compiler.compileSync(PTX);
    const { arch, kernels, info, cubin } = result;
    const json = JSON.parse(JSON.stringify({ arch, kernels, info }));
    for (const one of [
      result,
      result.modules[0]!,
      structuredClone(result),
      { ...json, cubin: cubin.slice() },
    ]) {
      expect(device.load(one).kernel("typed").parameters).toEqual(TYPED);
    }
  });

  it("with kernels that do not fit the cubin is refused", () => {
    const { device } = fakeDevice();
    const kernels = [
      { name: "typed", parameters: TYPED.map((each) => ({ ...each, offset: each.offset + 1 })) },
    ];
    for (const [wrong, message] of [
      [{ cubin: compiled(), kernels }, "`kernels[0].parameters[0]`: expected 1 bytes at offset 0"],
      [{ cubin: compiled(), kernels: [{ name: "typed", parameters: [] }] }, "expected 6 parameters"],
      [{ cubin: compiled(), kernels: [null] }, "`kernels[0]`: expected a kernel with"],
      [{ cubin: compiled(), kernels: 5 }, "`kernels`: expected an array, found 5"],
      [{ cubin: "no bytes" }, "expected `cubin` as bytes"],
    ] as const) {
      expect(thrownBy(() => device.load(wrong as never))).toMatchObject({
        code: BAD,
        message: expect.stringContaining(message),
      });
    }
  });

  it("of a bare cubin has offsets and sizes of parameters", () => {
    const { device } = fakeDevice();
    const cubin = compiled().slice();
    const module = device.load(cubin);
    cubin.fill(0);
    expect([...module.kernels].sort()).toEqual(NAMES);
    expect(module.kernel("typed").parameters).toEqual(TYPED.map(({ offset, bytes }) => ({ offset, bytes })));
  });

  it("of a fatbin is described by the driver", () => {
    const { device } = fakeDevice();
    const module = device.load(fatbinOf(compiled()));
    expect([...module.kernels].sort()).toEqual(NAMES);
    expect(module.globals).toEqual([]);
    expect(module.kernel("typed").parameters.map(({ offset, bytes }) => [offset, bytes])).toEqual(
      TYPED.map(({ offset, bytes }) => [offset, bytes]),
    );
    expect(module.global("table").byteLength).toBe(64);
    expect(thrownBy(() => module.kernel("scael"))).toMatchObject({
      code: "NOT_FOUND",
      message: "expected a kernel of the module, found `scael`",
    });
  });

  it("of a fatbin needs a driver that reports its kernels, or their parameters", () => {
    const { device } = fakeDevice({}, [], ["cuModuleGetFunctionCount", "cuFuncGetParamInfo"]);
    const module = device.load(fatbinOf(compiled()));
    for (const run of [() => module.kernels, () => module.kernel("scale").parameters]) {
      expect(thrownBy(run)).toMatchObject({
        code: "FUNCTION_MISSING",
        message: expect.stringContaining("12.4"),
      });
    }
  });

  it("is refused if it is truncated: the driver would read beyond its end", () => {
    const { device, fake } = fakeDevice();
    const cubin = compiled();
    for (const whole of [cubin, fatbinOf(cubin)]) {
      for (const length of [4, 15, 40, 64, whole.length >> 1, whole.length - 1]) {
        expect(thrownBy(() => device.load(whole.slice(0, length)))).toMatchObject({
          code: "INVALID_ARGUMENT",
        });
      }
    }
    expect(fake.calls("cuModuleLoadDataEx")).toEqual([]);
  });

  it("that does not compile throws the compiler's error", async () => {
    const { device } = fakeDevice();
    const wrong = PTX.replace("ret;", "rot;");
    expect(thrownBy(() => device.load(wrong))).toBeInstanceOf(PtxCompileError);
    await expect(device.loadAsync(wrong)).rejects.toBeInstanceOf(PtxCompileError);
  });

  it("of a filled kernel or pack that does not compile names the line of the stub", async () => {
    const { device } = fakeDevice();
    const filled = filledWith("\trot;");
    const place = "injection `func`, site 1, stub line 1";
    const error = {
      name: "PtxCompileError",
      message: expect.stringContaining(`: ${place}: `),
      diagnostics: [expect.objectContaining({ origin: expect.objectContaining({ kind: "stub" }) })],
    };
    for (const one of [filled, structuredClone(filled)]) {
      expect(thrownBy(() => device.load(one))).toMatchObject(error);
      await expect(device.loadAsync(one)).rejects.toMatchObject(error);
    }
    const packed = {
      text: PTX.replace("ret;", "rot;"),
      stubs: () => [{ injection: "func", variant: 2, text: "\trot;" }],
    };
    const locate = () =>
      ({ kind: "stub", injection: "func", site: 0, stubLine: 1, kernelLine: 9, variant: 2 }) as const;
    expect(thrownBy(() => device.load({ ...packed, locate }))).toMatchObject({
      message: expect.stringContaining(`: variant 2, ${place}: `),
    });
    expect(device.load(filledWith("\tret;")).kernel("typed").parameters).toEqual(TYPED);
    for (const wrong of [null, 5, {}, { template: {}, stubs: {} }, { ...filled, stubs: {} }])
      expect(thrownBy(() => device.load(wrong as never))).toMatchObject({ code: BAD });
  });

  it("with a NUL is refused, and the message says where the NUL is", async () => {
    const { device } = fakeDevice();
    const refused = (module: ModuleSource) => thrownBy(() => device.load(module, { jit: true }));
    expect(refused("//\n \0 ")).toMatchObject({
      code: BAD,
      message: expect.stringMatching(/found one at line 2, column 2$/),
    });
    expect(refused(filledWith("\tret;\n\t\0"))).toMatchObject({
      code: BAD,
      message: expect.stringMatching(/found one at injection `func`, site 1, stub line 2, column 2$/),
    });
  });

  it("that the driver refuses throws its error with its log", async () => {
    const { device } = fakeDevice({}, ["fail cuModuleLoadDataEx 0 218"]);
    const error = { code: "INVALID_PTX", number: 218, operation: "cuModuleLoadDataEx" };
    expect(thrownBy(() => device.load(PTX, { jit: true }))).toMatchObject({
      ...error,
      log: expect.any(String),
    });
    await expect(device.loadAsync(PTX, { jit: true })).rejects.toMatchObject(error);
    expect(thrownBy(() => device.load(compiled()))).toMatchObject({
      ...error,
      log: undefined,
      message: expect.stringMatching(
        /for a cubin for sm_90 of CUDA \d+\.\d on a driver for CUDA 13\.0 returned/,
      ),
    });
  });

  it.each<[what: string, module: unknown, options: unknown, message: string]>([
    [
      "a number",
      1,
      {},
      "expected PTX as a string, as bytes, as a filled kernel or as a pack; a compiled module; or a cubin or a fatbin as bytes, found 1",
    ],
    ["other bytes", new Uint8Array([1, 0xff]), {}, "found other bytes"],
    ["an unknown option", PTX, { JIT: true }, "unknown option `JIT`, did you mean `jit`?"],
    ["a wrong jit", PTX, { jit: 1 }, "option `jit`: expected a boolean, found 1"],
    ["too many registers", PTX, { maxRegisters: 256 }, "found 256"],
    [
      "a level for another compiler",
      PTX,
      { optimizationLevel: 1 },
      "expected `jit: true` with `optimizationLevel`",
    ],
    ["a level that does not exist", PTX, { jit: true, optimizationLevel: 5 }, "found 5"],
    ["a NUL in PTX", "a\0b", { jit: true }, "expected PTX without a NUL"],
  ])("refuses %s", async (_, module, options, message) => {
    const { device } = fakeDevice();
    const error = { code: "INVALID_ARGUMENT", message: expect.stringContaining(message) };
    expect(thrownBy(() => device.load(module as string, options as object))).toMatchObject(error);
    await expect(device.loadAsync(module as string, options as object)).rejects.toMatchObject(error);
  });

  it("lists its names, and suggests the nearest one", () => {
    const { device } = fakeDevice();
    const module = device.load(PTX);
    expect(thrownBy(() => module.kernel("scael"))).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/`nothing`.*found `scael`, did you mean `scale`\?/),
    });
    expect(thrownBy(() => module.global("tabel"))).toMatchObject({
      code: "NOT_FOUND",
      message: "expected a variable of the module (`table`), found `tabel`, did you mean `table`?",
    });
    expect(thrownBy(() => module.kernel(1 as never))).toMatchObject({ code: "NOT_FOUND" });
    expect(thrownBy(() => module.kernel("sca\0le"))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(module.kernel("scale")).toBe(module.kernel("scale"));
  });

  it("has variables, whose memory it owns", async () => {
    const { device, fake } = fakeDevice();
    const module = device.load(PTX);
    const table = module.global("table");
    expect(table.byteLength).toBe(64);
    await table.copyFrom(new Uint8Array(64).fill(5));
    expect(table.readSync().subarray(60)).toEqual(new Uint8Array(4).fill(5));
    table.dispose();
    const again = module.global("table");
    module.dispose();
    expect(again.disposed).toBe(true);
    await expect(again.read()).rejects.toMatchObject({ code: "DISPOSED" });
    again.dispose();
    device.memoryInfo();
    expect(fake.calls("cuModuleUnload")).toHaveLength(1);
  });

  it("and its kernels are unusable once it has been disposed", () => {
    const { device } = fakeDevice();
    const module = device.load(PTX);
    const kernel = module.kernel("nothing");
    const prepared = kernel.prepare({ grid: 1, block: 1 }, []);
    module.dispose();
    module.dispose();
    for (const run of [
      () => module.kernel("scale"),
      () => module.global("table"),
      () => module.handle,
      () => kernel.handle,
      () => kernel.attributes.registers.toFixed(kernel.maxActiveBlocks(1)),
      () => kernel.prepare({ grid: 1, block: 1 }, []),
      () => device.stream.launch(kernel, { grid: 1, block: 1 }, []),
      () => device.stream.launch(prepared),
      () => device.stream.launchMany([prepared]),
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "DISPOSED" });
    }
  });
});

suite("a kernel", () => {
  it("reports its requirements and its occupancy", () => {
    const { device, fake } = fakeDevice();
    const kernel = device.load(PTX).kernel("scale");
    expect(kernel.attributes).toEqual({
      maxThreadsPerBlock: expect.any(Number),
      sharedBytes: expect.any(Number),
      constantBytes: expect.any(Number),
      localBytes: expect.any(Number),
      registers: expect.any(Number),
      ptxVersion: expect.any(Number),
      binaryVersion: expect.any(Number),
    });
    expect(kernel.maxActiveBlocks([16, 8], 1024)).toBeTypeOf("number");
    expect(fake.call("cuOccupancyMaxActiveBlocksPerMultiprocessor").arguments).toMatchObject({
      blockSize: "128",
    });
    expect(kernel.suggestedBlockSize({ maxThreads: 512 })).toEqual({
      block: expect.any(Number),
      grid: expect.any(Number),
    });
    for (const run of [
      () => kernel.maxActiveBlocks(0),
      () => kernel.maxActiveBlocks(32, -1),
      () => kernel.suggestedBlockSize({ threads: 1 } as never),
      () => kernel.suggestedBlockSize({ maxThreads: 4096 }),
      () => kernel.setDynamicShared(232449),
      () => kernel.setDynamicShared(NaN),
    ]) {
      expect(thrownBy(run)).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("may have more dynamic shared memory on request", () => {
    const { device, fake } = fakeDevice();
    const kernel = device.load(PTX).kernel("nothing");
    const launch = () => kernel.prepare({ grid: 1, block: 1, sharedBytes: 100_000 }, []);
    expect(thrownBy(launch)).toMatchObject({
      code: "INVALID_ARGUMENT",
      message:
        "expected at most 49152 bytes of dynamic shared memory for kernel `nothing`, found 100000; `setDynamicShared` allows more",
    });
    kernel.setDynamicShared(100_000);
    expect(fake.call("cuFuncSetAttribute").arguments).toMatchObject({ value: "100000" });
    expect(thrownBy(launch)).toBeUndefined();
  });
});
