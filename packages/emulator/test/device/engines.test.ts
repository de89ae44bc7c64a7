// The device with its real engines: mistakes of kernels are detected and located, and launches end when they
// must.
import { filledKernel } from "@mm-ptx/types/core";
import { u32, u64 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, EmulatorError, type EngineName } from "../../src/index.js";
import { FIRST_LINE, failureOf, kernelText, type Run, runKernel } from "../support/one-kernel.js";

/** `%rd2` is four times the index of the thread. */
const SET_UP = "mul.wide.u32 %rd2, %r2, 4;";

const run = (given: Run): Promise<Uint32Array> => runKernel(SET_UP, given);

const failure = (given: Run): Promise<EmulatorError> => failureOf(run(given));

const COUNTING =
  "\tmov.u32 %r3, 0;\n$L:\n\tadd.u32 %r3, %r3, 1;\n\tsetp.lt.u32 %p1, %r3, %r1;\n\t@%p1 bra $L;\n\tst.global.u32 [%rd1], %r3;";
const LOOP = "$L:\n\tadd.u32 %r3, %r3, 1;\n\tbra $L;";

describe.each(["interpreter", "webassembly"] as const)("on the engine %s", (engine) => {
  const options = { engine };

  it("kernels read and write buffers", async () => {
    const body = "\tadd.s64 %rd3, %rd1, %rd2;\n\tadd.u32 %r3, %r2, %r1;\n\tst.global.u32 [%rd3], %r3;";
    expect([...(await run({ body, options, n: 10, bytes: 16 }))]).toEqual([10, 11, 12, 13]);
  });

  it.each([
    [
      "after its end",
      "\tadd.s64 %rd3, %rd1, %rd2;\n\tst.global.u32 [%rd3+56], %r2;",
      1,
      "thread (2, 0, 0)",
      "right after buffer 1 (64 bytes",
    ],
    [
      "before its beginning",
      "\tld.global.u32 %r3, [%rd1+-4];",
      0,
      "thread (0, 0, 0)",
      "4 bytes before buffer 1 (64 bytes",
    ],
    ["at 0", "\tmov.u64 %rd3, 0;\n\tld.u32 %r3, [%rd3];", 1, "thread (0, 0, 0)", "a load of 4 bytes at 0x0;"],
    [
      "at a truncated address",
      "\tcvt.u32.u64 %r3, %rd1;\n\tcvt.u64.u32 %rd3, %r3;\n\tst.u8 [%rd3], %r3;",
      2,
      "thread (0, 0, 0)",
      "a store of 1 byte at 0x2000",
    ],
  ])("an access to a buffer %s is OUT_OF_BOUNDS", async (_, body, line, thread, words) => {
    const error = await failure({ body, options });
    expect(error.code).toBe("OUT_OF_BOUNDS");
    expect(error.fault?.place?.line).toBe(FIRST_LINE + line);
    expect(error.message).toContain(thread);
    expect(error.message).toContain(words);
  });

  it("an access at an odd address is MISALIGNED", async () => {
    const error = await failure({ body: "\tst.global.u32 [%rd1+2], %r2;", options });
    expect([error.code, error.fault?.place?.line]).toEqual(["MISALIGNED", FIRST_LINE]);
  });

  it("shared memory has its own bounds", async () => {
    const before = ".shared .align 4 .b8 tile[16];";
    const body =
      "\tmov.u32 %r3, tile;\n\tcvt.u32.u64 %r4, %rd2;\n\tadd.u32 %r3, %r3, %r4;\n\tst.shared.u32 [%r3+4], %r2;";
    const error = await failure({ body, before, options });
    expect(error.code).toBe("OUT_OF_BOUNDS");
    expect(error.message).toContain("expected an address in the 16 bytes of the block's shared memory");
    expect(error.fault?.place?.thread).toEqual([3, 0, 0]);
  });

  it.each([
    ["shared", ".shared .align 4 .b8 area[16];", "right after shared memory (16 bytes at 0x"],
    ["local", "", "right after local memory (64 bytes at 0x"],
  ])("%s memory has bounds for generic addresses, too", async (space, before, words) => {
    const local = space === "local" ? "\t.local .align 4 .b8 area[16];\n" : "";
    const body = `${local}\tmov.u64 %rd3, area;\n\tcvta.${space}.u64 %rd3, %rd3;\n\tst.u32 [%rd3+16], %r2;`;
    const error = await failure({ body, before, options });
    expect([error.code, error.fault?.near?.freed]).toEqual(["OUT_OF_BOUNDS", false]);
    expect(error.message).toContain(words);
  });

  it("an access to freed memory is USE_AFTER_FREE", async () => {
    using device = EmulatedDevice.open(options);
    const [data, old] = [device.allocate(64), device.allocate(64)];
    const { address } = old;
    old.dispose();
    // The kernel has the address of a buffer as a number.
    const text = kernelText(SET_UP, "\tld.global.u32 %r3, [%rd1];")
      .replace("u32 n", "u64 n")
      .replace("ld.param.u32 %r1", "ld.param.u64 %rd1");
    device.stream.launch(device.load(text).kernel("k"), { grid: 1, block: 1 }, [data, u64(address)]);
    const error = await device.synchronize().then(
      () => expect.fail("expected a launch that fails"),
      (thrown: EmulatorError) => thrown,
    );
    expect(error.code).toBe("USE_AFTER_FREE");
    expect(error.message).toContain("byte 0 of buffer 2 (64 bytes");
  });

  it.each([
    ["BUDGET", { instructions: 100_000 }],
    ["TIMEOUT", { timeoutMs: 50 }],
  ] as const)("a loop without end is stopped by its %s, and named", async (code, limits) => {
    const error = await failure({ body: LOOP, options: { engine, limits } });
    expect(error.code).toBe(code);
    expect(error.fault?.loop?.first.line).toBe(FIRST_LINE + 1);
    expect(error.message).toContain("it was running the loop from line 15, column 2 (`add.u32 %r3, %r3, 1`)");
  });

  it("progress is reported", async () => {
    using device = EmulatedDevice.open(options);
    const data = device.allocate(64);
    const told: number[] = [];
    const onProgress = (done: number, total: number) => {
      expect(total).toBe(400_000);
      told.push(done);
    };
    await device.stream
      .run(
        device.load(kernelText(SET_UP, COUNTING)).kernel("k"),
        { grid: 400_000, block: 32, onProgress, limits: { timeoutMs: 200 } },
        [data, u32(1000)],
      )
      .catch(() => {});
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it("a launch of many blocks lets the event loop run, and ends when the signal is aborted", async () => {
    const controller = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 3) controller.abort();
    }, 1);
    const options = { engine, limits: { signal: controller.signal, timeoutMs: Number.POSITIVE_INFINITY } };
    const error = await failure({ body: COUNTING, options, n: 1000, grid: 2 ** 24 });
    clearInterval(timer);
    expect(error.code).toBe("ABORTED");
  });

  it("a barrier that not every thread reaches is a DEADLOCK", async () => {
    const body = "\tsetp.eq.u32 %p1, %r2, 0;\n\t@%p1 bra $OUT;\n\tbar.sync 1, 128;\n$OUT:";
    const error = await failure({ body, options, block: 64 });
    expect(error.code).toBe("DEADLOCK");
    expect(error.fault?.waiting).toHaveLength(63);
    expect(error.fault?.waiting?.[0]?.line).toBe(FIRST_LINE + 2);
  });

  it("a trap stops the launch", async () => {
    const error = await failure({ body: "\tsetp.eq.u32 %p1, %r2, 2;\n\t@%p1 trap;", options });
    expect([error.code, error.fault?.place?.thread]).toEqual(["TRAP", [2, 0, 0]]);
  });

  it("the same launch writes the same bytes", async () => {
    const body =
      "\tatom.global.add.u32 %r3, [%rd1], %r2;\n\tadd.s64 %rd3, %rd1, %rd2;\n\tst.global.u32 [%rd3+4], %r3;";
    const given = { body, options, block: 256, bytes: 1028 };
    expect(await run(given)).toEqual(await run(given));
  });
});

describe("both engines report the same for", () => {
  it.each([
    ["a trap", "\ttrap;"],
    ["a barrier that does not exist", "\tadd.u32 %r3, %r1, 16;\n\tbar.sync %r3;"],
    ["a branch to nowhere", "\tmov.u32 %r3, 7;\n\tbrx.idx %r3, $T;\n$T: .branchtargets $A;\n$A:"],
    ["a call of nothing", "\tmov.u64 %rd3, 5;\n\tcall %rd3, $P;\n$P: .callprototype _ ();"],
    ["a barrier of half a warp", "\tmov.u32 %r3, 33;\n\tbar.sync 1, %r3;"],
    ["lanes that a lane is not one of", "\tshfl.sync.idx.b32 %r3, %r2, 0, 31, 0x6;"],
    [
      "a deadlock",
      "\tsetp.lt.u32 %p1, %r2, 2;\n\t@%p1 bar.sync 1, 64;\n\t@!%p1 shfl.sync.idx.b32 %r3, %r2, 0, 31, 0xf;",
    ],
    ["a barrier for more threads than there are", "\tbar.sync 3, 1024;"],
    [
      "a barrier at which the others only arrive",
      "\tsetp.lt.u32 %p1, %r2, 1;\n\t@%p1 bar.sync 1, 1024;\n\t@!%p1 bar.arrive 1, 1024;",
    ],
  ])("%s", async (_, body) => {
    const messageOf = async (engine: EngineName) => (await failure({ body, options: { engine } })).message;
    expect(await messageOf("webassembly")).toBe(await messageOf("interpreter"));
  });
});

describe("code that cannot run", () => {
  it("is reported with the site and line of the stub", () => {
    using device = EmulatedDevice.open();
    const text = kernelText(SET_UP, "\tadd.u33 %r3, %r2, 1;");
    const segments = text.split("\tadd.u33 %r3, %r2, 1;");
    const [before, after] = segments.map((segment) => segment.split("\n").length - 1) as [number, number];
    const lines = [
      { kernelLine: 1, lines: before, head: 0, tail: 0 },
      { kernelLine: before + 1, lines: after, head: 0, tail: 0 },
    ];
    const load = (ptx: unknown) => () => device.load(ptx as never);
    const template = { names: ["func"], segments, holes: [0], lines };
    const filled = filledKernel(template, { func: "\tadd.u33 %r3, %r2, 1;" });
    for (const one of [filled, structuredClone(filled)]) {
      expect(load(one)).toThrowError(
        expect.objectContaining({
          message: expect.stringMatching(
            /^line 14, column 2 \(injection `func`, site 1, stub line 1\): expected/,
          ),
          problems: [
            expect.objectContaining({ line: 14, source: expect.objectContaining({ kind: "stub" }) }),
          ],
        }),
      );
    }
    // Text that is not PTX is located in the stub, too, also in a pack.
    expect(load(filledKernel(template, { func: "\n\t?" }))).toThrowError(
      expect.objectContaining({
        code: "SYNTAX",
        message: expect.stringMatching(
          /^line 15, column 2 \(injection `func`, site 1, stub line 2\): expected/,
        ),
      }),
    );
    const locate = (line: number) => ({ kind: "kernel", kernelLine: line, variant: 3 }) as const;
    expect(load({ text, locate, stubs: () => [] })).toThrowError(
      /^line 14, column 2 \(variant 3, kernel line 14\)/,
    );
    for (const wrong of [null, 5, {}, { ...filled, stubs: {} }, { template: {}, stubs: {} }])
      expect(load(wrong)).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("of a compiled module is its source", () => {
    using device = EmulatedDevice.open();
    const compiled = { arch: "sm_90", cubin: new Uint8Array(64), kernels: [], info: {} };
    const ptx = kernelText("", "\texit;");
    for (const source of [ptx, new TextEncoder().encode(ptx)]) {
      for (const one of [{ ...compiled, source }, structuredClone({ ...compiled, source })])
        expect([...device.load(one).kernels]).toEqual(["k"]);
    }
    expect(() => device.load({ ...compiled, source: "ptx" })).toThrowError(EmulatorError);
  });

  it("is reported as machine code if a compiled module has no source", () => {
    using device = EmulatedDevice.open();
    const compiled = { arch: "sm_90", cubin: new Uint8Array(64), kernels: [], info: {} };
    expect(() => device.load(compiled)).toThrowError(
      expect.objectContaining({
        code: "UNSUPPORTED",
        message:
          "expected PTX, found a compiled module without its `source`, which is machine code: load the PTX or the filled kernel that it was compiled from",
      }),
    );
  });
});
