// Linking device code through nvJitLink: results, options, and errors for inputs that do not fit together.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import {
  CudaCompiler,
  LinkError,
  Linker,
  type LinkInput,
  type LinkOptions,
  readCubin,
} from "../../src/index.js";
import { JITLINK, KERNEL, NVRTC } from "../support/cuda.js";
import { CAN_FAKE_DRIVER, fakeDriver } from "../support/driver.js";

const arch = "sm_90";
const USER = `extern __device__ float f(float); extern "C" __global__ void k(float* x) { x[0] = f(x[0]); }\n`;
const DEFINITION = "__device__ float f(float x) { return x * 3; }\n";

/** A source in each form that can be linked. */
interface Forms {
  readonly cubin: Uint8Array;
  readonly ptx: string;
  readonly ltoir: Uint8Array;
}

describe.runIf(JITLINK && NVRTC)("a linker", { timeout: 120_000 }, () => {
  // Created when tests run, because the bodies of skipped suites run, too.
  let compiler: CudaCompiler;
  let linker: Linker;
  beforeAll(() => {
    compiler = new CudaCompiler({ backend: "nvrtc" });
    linker = new Linker({ workers: 2 });
  });
  let user: Forms;
  let definition: Forms;

  const formsOf = async (source: string): Promise<Forms> => ({
    ...(await compiler.compile(source, { arch, output: "cubin", relocatable: true })),
    ...(await compiler.compile(source, { arch, relocatable: true })),
    ...(await compiler.compile(source, { arch, output: "ltoir" })),
  });
  beforeAll(async () => {
    [user, definition] = await Promise.all([formsOf(USER), formsOf(DEFINITION)]);
  });
  afterAll(() => {
    compiler[Symbol.dispose]();
    linker[Symbol.dispose]();
  });
  const failureOf = (inputs: readonly LinkInput[], options: Partial<LinkOptions> = {}): Promise<LinkError> =>
    linker.link(inputs, { arch, ...options }).then(
      () => expect.fail("it linked"),
      (error) => error,
    );

  test("links each kind of input with each other", async () => {
    const kinds = ["cubin", "ptx", "ltoir"] as const;
    for (const one of kinds) {
      for (const other of kinds) {
        const inputs = [{ [one]: user[one] }, { [other]: definition[other] }] as unknown as LinkInput[];
        const { cubin, warnings, milliseconds } = await linker.link(inputs, { arch });
        expect(readCubin(cubin), `${one} with ${other}`).toMatchObject({ arch, entries: ["k"] });
        expect(warnings).toEqual([]);
        expect(milliseconds).toBeGreaterThan(0);
      }
    }
  });

  test("inlines across LTO-IR, which makes the code smaller", async () => {
    const apart = await linker.link([{ cubin: user.cubin }, { cubin: definition.cubin }], { arch });
    const together = await linker.link([{ ltoir: user.ltoir }, { ltoir: definition.ltoir }], { arch });
    expect(together.cubin.length).toBeLessThan(apart.cubin.length);
  });

  test("passes its options on", async () => {
    const inputs = [{ ptx: user.ptx }, { ptx: new TextEncoder().encode(definition.ptx) }];
    const plain = await linker.link(inputs, { arch });
    const lines = await linker.link(inputs, {
      arch: "sm_100",
      optimize: false,
      lineInfo: true,
      maxRegisters: 16,
    });
    const names = (cubin: Uint8Array): string[] => readCubin(cubin).sections.map(({ name }) => name);
    expect(readCubin(lines.cubin).arch).toBe("sm_100");
    expect(names(lines.cubin)).toContain(".debug_line");
    expect(names(plain.cubin)).not.toContain(".debug_line");
    // Few enough that the linker warns.
    expect(lines.warnings[0]).toMatchObject({
      severity: "warning",
      message: expect.stringContaining("register"),
    });
  });

  test("names undefined functions", async () => {
    for (const input of [{ cubin: user.cubin }, { ptx: user.ptx }, { ltoir: user.ltoir }]) {
      const error = await failureOf([{ ...input, name: "user" }]);
      expect(error).toBeInstanceOf(LinkError);
      expect(error.code).toBe("UNRESOLVED");
      expect(error.message).toMatch(/^the inputs do not link for `sm_90`: .*_Z1ff/);
    }
  });

  test("names duplicate definitions", async () => {
    for (const kind of ["cubin", "ptx", "ltoir"] as const) {
      const inputs = [user, definition, definition].map((each) => ({
        [kind]: each[kind],
      })) as unknown as LinkInput[];
      const error = await failureOf(inputs);
      expect(error, kind).toMatchObject({ code: "DUPLICATE", message: expect.stringContaining("_Z1ff") });
    }
  });

  test("reports the line of PTX that does not compile", async () => {
    const error = await failureOf([{ ptx: definition.ptx.replace("ret;", "rett;"), name: "mine.ptx" }]);
    expect(error).toMatchObject({ code: "COMPILATION", input: "mine.ptx" });
    expect(error.diagnostics).toEqual([
      { severity: "error", line: expect.any(Number), message: expect.stringContaining("rett") },
    ]);
    expect(error.message).toMatch(/`mine\.ptx`: line \d+: .*rett.*\n +\d+ \| \trett;\n +\| \t\^{5}$/);
    expect(error.log).toContain("rett");
  });

  test("reports a cubin for another architecture", async () => {
    const error = await failureOf([{ cubin: user.cubin, name: "k" }], { arch: "sm_80" });
    expect(error).toMatchObject({
      code: "ARCH_MISMATCH",
      input: "k",
      message: "`k`: expected a cubin for `sm_80`, found one for `sm_90`",
    });
  });

  test("reports LTO-IR for a later architecture", async () => {
    const error = await failureOf([{ ltoir: user.ltoir, name: "k" }], { arch: "sm_80" });
    expect(error).toMatchObject({ code: "ARCH_MISMATCH", input: "k" });
    expect(error.message).toMatch(/^`k`: expected LTO-IR that `sm_80` can run/);
  });

  test.each(["sm_75", "sm_90a", "sm_100f", "sm_121"])(
    "refuses a linked cubin for %s, which the library would silently drop",
    async (arch) => {
      const options = { arch, output: "cubin" } as const;
      const [linked, relocatable] = await Promise.all([
        compiler.compile(KERNEL, options),
        compiler.compile(KERNEL, { ...options, relocatable: true }),
      ]);
      const error = await failureOf([{ cubin: linked.cubin, name: "k" }], { arch });
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", input: "k" });
      expect(error.message).toMatch(/^`k`: expected a relocatable cubin, found a linked one/);
      const { cubin } = await linker.link([{ cubin: relocatable.cubin }], { arch });
      expect(readCubin(cubin).entries).toEqual(["scale"]);
    },
  );

  test("copies its inputs when it is called", async () => {
    const own = new Linker({ workers: 1 });
    const bytes = new TextEncoder().encode(definition.ptx);
    const first = own.link([{ ptx: user.ptx }, { ptx: definition.ptx }], { arch });
    const second = own.link([{ ptx: user.ptx }, { ptx: bytes }], { arch });
    bytes.fill(0);
    await Promise.all([first, second]);
    await own[Symbol.asyncDispose]();
  });

  test.each([
    [[], "expected a list of inputs, found"],
    [null, "expected a list of inputs, found null"],
    [[5], "input 1: expected an object with `cubin`, `ptx` or `ltoir`, found 5"],
    [
      [{ ptx: "a" }, { ptx: "a", cubin: new Uint8Array(1) }],
      "input 2: expected one of `cubin`, `ptx` and `ltoir`",
    ],
    [
      [{ ptx: "a", cubin: new Uint8Array(1), name: undefined }],
      "input 1: expected one of `cubin`, `ptx` and `ltoir`, found 2 of them",
    ],
    [[{ ptx: undefined }], "input 1: expected one of `cubin`, `ptx` and `ltoir`, found an object"],
    [[{ object: "a" }], "input 1: unknown key `object`"],
    [[{ ptx: "a", nam: "k" }], "input 1: unknown key `nam`, did you mean `name`?"],
    [[new Uint8Array(8)], "input 1: expected an object with `cubin`, `ptx` or `ltoir`, found an object of"],
    [[{ ptx: "// a\n\0 " }], "`input 1`: expected PTX, found a NUL byte at line 2"],
    [[{ ptx: "// ü" }], "`input 1`: expected ASCII, found `ü` (U+00FC) at line 1"],
    [[{ ptx: "a".repeat(70_000) }], "`input 1`: expected tokens of at most 65536 bytes"],
    [[{ cubin: "text" }], "input 1: expected `cubin` as bytes, found `text`"],
    [[{ ptx: "" }], "input 1: expected non-empty `ptx`"],
    [[{ ptx: "a", name: "two\nlines" }], "input 1: expected a single-line name"],
    [[{ cubin: new Uint8Array(100), name: "zeros" }], "`zeros`: expected a cubin, found something else"],
    [[{ ltoir: new Uint8Array(100) }], "`input 1`: expected LTO-IR, found something else"],
    [[{ ptx: "no PTX" }], "`input 1`: expected PTX, found something else"],
  ])("refuses the inputs %o", async (inputs, message) => {
    const error = await failureOf(inputs as LinkInput[]);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
  });

  test.each<readonly [options: object, message: string]>([
    [{ arch: "sm_9" }, "option `arch`: expected one of sm_75,"],
    [{ optimise: true }, "unknown option `optimise`, did you mean `optimize`?"],
    [{ maxRegisters: 1000 }, "option `maxRegisters`: expected a whole number from 1 to 255, found 1000"],
    [{ debug: true, lineInfo: true }, "options `debug` and `lineInfo`: expected only one of them"],
    [{ timeoutMs: "soon" }, "option `timeoutMs`: expected a whole number"],
    [{ signal: 1 }, "option `signal`: expected an AbortSignal, found 1"],
  ])("refuses the options %o", async (...[options, message]) => {
    const error = await failureOf([{ ltoir: user.ltoir }], options);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
  });

  test("survives corrupt machine code", async () => {
    const inputs = [{ cubin: user.cubin.subarray(0, 500) }, { cubin: definition.cubin }];
    // The library crashes on it, or never returns.
    const error = await failureOf(inputs, { timeoutMs: 20_000 });
    expect(["CRASHED", "TIMEOUT"]).toContain(error.code);
  });

  test("reports every failure of corrupt inputs", async () => {
    const { cubin, ltoir } = user;
    const count = cases(200);
    const damaged = Array.from({ length: count }, (_, i) => {
      const bytes = Uint8Array.from(i % 2 === 0 ? cubin : ltoir);
      bytes[Math.floor((i * bytes.length) / count)]! ^= 1 << (i % 8);
      return i % 2 === 0 ? { cubin: bytes } : { ltoir: bytes };
    });
    const options = { arch, timeoutMs: 5000 };
    const results = await Promise.all(
      damaged.map((input) =>
        linker.link([input, { cubin: definition.cubin }], options).catch((error) => error),
      ),
    );
    for (const result of results) {
      if (!("cubin" in result)) expect(result).toBeInstanceOf(LinkError);
      expect(result.code).not.toBe("INTERNAL");
    }
    const { cubin: good } = await linker.link([{ cubin }, { cubin: definition.cubin }], { arch });
    expect(readCubin(good).entries).toEqual(["k"]);
  });

  test("fails alone if it exceeds its memory limit", async () => {
    const own = new Linker({ memoryLimitBytes: 256 * 2 ** 20 });
    const large = `.version 8.0
.target sm_80
.address_size 64
.entry nothing() { .reg .f32 %v<300000000>; ret; }`;
    const [failed, linked] = await Promise.allSettled(
      [large, user.ptx].map((ptx) => own.link([{ ptx }, { ptx: definition.ptx }], { arch })),
    );
    expect(failed).toMatchObject({
      reason: {
        code: "OUT_OF_MEMORY",
        message: "the linker's process took more than 268435456 bytes of memory",
      },
    });
    expect(linked!.status).toBe("fulfilled");
    await own[Symbol.asyncDispose]();
  });

  test.runIf(CAN_FAKE_DRIVER)("resolves the architecture of this machine's GPU", async () => {
    const fake = fakeDriver(12, 0);
    try {
      vi.stubEnv("MM_PTX_DRIVER", fake.path);
      const { cubin } = await linker.link([{ ptx: user.ptx }, { ptx: definition.ptx }], { arch: "native" });
      expect(readCubin(cubin).arch).toBe("sm_120");
    } finally {
      vi.unstubAllEnvs();
      fake.remove();
    }
    expect(await failureOf([{ ptx: user.ptx }], { arch: "natve" })).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  test("ends on timeout, with its signal, and with its linker", async () => {
    const inputs = [{ ptx: user.ptx }, { ptx: definition.ptx }];
    expect(await failureOf(inputs, { timeoutMs: 1 })).toMatchObject({ code: "TIMEOUT" });
    const controller = new AbortController();
    const call = failureOf(inputs, { signal: controller.signal });
    controller.abort("enough");
    expect(await call).toMatchObject({ code: "ABORTED", cause: "enough" });
    const own = new Linker({ workers: 1 });
    const waited = own.link(inputs, { arch });
    await own[Symbol.asyncDispose]();
    expect(readCubin((await waited).cubin).entries).toEqual(["k"]);
    own[Symbol.dispose]();
    expect(await own.link(inputs, { arch }).catch((error) => error)).toMatchObject({ code: "DISPOSED" });
  });

  test("reports its properties", () => {
    expect(linker.version).toMatch(/^\d+\.\d+$/);
    expect(linker.path).toMatch(/nvJitLink/i);
    for (const wrong of [{ workers: 0 }, { memoryLimitBytes: 1 }, { memoryLimitbytes: 2 ** 30 }])
      expect(() => new Linker(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("accepts a single input", async () => {
    const { ptx } = await compiler.compile(KERNEL, { arch });
    expect(readCubin((await linker.link([{ ptx }], { arch })).cubin).entries).toEqual(["scale"]);
  });
});
