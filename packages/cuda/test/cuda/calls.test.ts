// Calls of a CUDA compiler that do not end with a result: wrong options, signals, timeouts, disposal, and
// compilers that die.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { CudaCompileError, CudaCompiler, Nvrtc, readCubin } from "../../src/index.js";
import { CUDA_BACKENDS, fakeTool, isAlive, KERNEL, NVRTC, SLOW_KERNEL, until } from "../support/cuda.js";
import { CAN_FAKE_DRIVER, fakeDriver } from "../support/driver.js";

const arch = "sm_90";
describe.each(CUDA_BACKENDS)("backend %s", { timeout: 60_000 }, (backend) => {
  // Temporary files of compiles go to this folder.
  let temporary = "";
  beforeAll(() => {
    temporary = mkdtempSync(join(tmpdir(), "mm-ptx-cuda-calls-"));
    vi.stubEnv("TMPDIR", temporary);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
  });

  const source = `${SLOW_KERNEL}// ${backend}\n`;
  const compiler = new CudaCompiler({ backend, workers: 1, cache: false });
  afterAll(() => compiler[Symbol.dispose]());

  test.each<readonly [options: object, message: string]>([
    [{}, "option `arch`: expected one of sm_75,"],
    [{ arch: "sm_9O" }, "found `sm_9O`, did you mean `sm_90`?"],
    [{ arch, ouput: "ptx" }, "unknown option `ouput`, did you mean `output`?"],
    [{ arch, output: "sass" }, "option `output`: expected `ptx`, `cubin`, `ltoir`, found `sass`"],
    [{ arch, includes: "folder" }, "option `includes`: expected a list of paths of folders"],
    [{ arch, includes: ["a", 5] }, "option `includes[1]`: expected paths of folders, found 5"],
    [{ arch, defines: { "A B": 1 } }, "option `defines`: expected names of macros, found `A B`"],
    [
      { arch, defines: { A: "two\nlines" } },
      "option `defines.A`: expected a single-line string, a number or true",
    ],
    [{ arch, defines: { A: false } }, "option `defines.A`: expected a single-line string, a number or true"],
    [{ arch, defines: null }, "option `defines`: expected an object"],
    [{ arch, headers: { "../up.h": "" } }, "option `headers`: expected names as in `#include`"],
    [{ arch, headers: { "/root.h": "" } }, "option `headers`: expected names as in `#include`"],
    [{ arch, headers: { "a.h": 1 } }, "option `headers.a.h`: expected a text without NUL, found 1"],
    [{ arch, defines: { A: "goes on \\", B: 1 } }, "option `defines.A`: expected a single-line string"],
    [{ arch, headers: { "a/./b.h": "" } }, "option `headers`: expected names as in `#include`"],
    [{ arch, headers: { "a/": "" } }, "option `headers`: expected names as in `#include`"],
    [
      { arch, name: 'a".cu' },
      'option `name`: expected a file name without folders and quotes, found `a".cu`',
    ],
    [{ arch, name: "../kernel.cu" }, "option `name`: expected a file name without folders and quotes"],
    [{ arch, name: "-v" }, "option `name`: expected a file name without folders and quotes"],
    [
      { arch, standard: "c++23" },
      "option `standard`: expected `c++11`, `c++14`, `c++17`, `c++20`, found `c++23`",
    ],
    [{ arch, maxRegisters: 256 }, "option `maxRegisters`: expected a whole number from 1 to 255, found 256"],
    [{ arch, fmad: "no" }, "option `fmad`: expected a boolean"],
    [{ arch, suppress: ["177"] }, "option `suppress[0]`: expected numbers of warnings"],
    [{ arch, timeoutMs: 0 }, "option `timeoutMs`: expected a whole number from 1"],
    [{ arch, signal: {} }, "option `signal`: expected an AbortSignal"],
    [{ arch, debug: true, lineInfo: true }, "options `debug` and `lineInfo`: expected only one of them"],
    [
      { arch, output: "ltoir", relocatable: false },
      "options `output` and `relocatable`: LTO-IR is always relocatable",
    ],
    ...(backend === "nvcc"
      ? ([
          [{ arch, output: "ltoir" }, "option `output`: `ltoir` requires the backend `nvrtc`, found `nvcc`"],
          [{ arch, nameExpressions: ["k"] }, "option `nameExpressions`: expected the backend `nvrtc`"],
          [{ arch, deviceByDefault: true }, "option `deviceByDefault`: expected the backend `nvrtc`"],
          [
            { arch, headers: { "a/b": "", "a/b/c": "" } },
            "option `headers`: expected the backend `nvrtc`, since only it accepts `a/b` both as a header and as a folder",
          ],
        ] as const)
      : []),
  ])("refuses %o", async (...[options, message]) => {
    const error = await compiler.compile(KERNEL, options as never).catch((caught) => caught);
    expect(error).toBeInstanceOf(CudaCompileError);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(message);
  });

  test.each([null, 5, undefined, new Uint8Array(2), `${KERNEL}\0`])(
    "refuses %o as a source",
    async (wrong) => {
      const error = await compiler.compile(wrong as string, { arch }).catch((caught) => caught);
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    },
  );

  test.runIf(CAN_FAKE_DRIVER)("resolves the architecture of this machine's GPU", async () => {
    const options = { arch: "native", output: "cubin" } as const;
    vi.stubEnv("MM_PTX_DRIVER", "/nowhere/libcuda.so");
    expect(await compiler.compile(KERNEL, options).catch((caught) => caught)).toMatchObject({
      code: "UNAVAILABLE",
      what: "driver",
      message: expect.stringMatching(/^`native` needs a GPU with its driver: .*nowhere/),
    });
    const fake = fakeDriver(8, 9);
    try {
      vi.stubEnv("MM_PTX_DRIVER", fake.path);
      expect(readCubin((await compiler.compile(KERNEL, options)).cubin).arch).toBe("sm_89");
    } finally {
      fake.remove();
    }
  });

  test("copies its options when it is called", async () => {
    const options = {
      arch,
      includes: [""].slice(1),
      headers: { "a.h": "#define A 77\n" },
      defines: { B: "5" },
    };
    const text = '#include "a.h"\n__device__ int x = A + 100 * B;\n';
    const first = compiler.compile(KERNEL, { arch });
    const second = compiler.compile(text, options);
    options.headers["a.h"] = "#error changed\n";
    options.defines.B = "wrong";
    options.includes.push("two\nlines");
    await first;
    expect((await second).ptx).toContain("577");
  });

  test("ends on timeout, and continues with the next compile", async () => {
    const slow = compiler.compile(source, { arch, timeoutMs: 100 }).catch((error) => error);
    const next = compiler.compile(KERNEL, { arch });
    expect(await slow).toMatchObject({
      code: "TIMEOUT",
      message: "expected the compile to finish within 100 ms, stopped it after that time",
    });
    expect((await next).ptx).toContain("scale");
    await until(() => readdirSync(temporary).length === 0);
  });

  test("ends when its signal is aborted, whether it runs or waits", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [source, KERNEL].map((text) =>
      compiler.compile(text, { arch, signal }).catch((error) => error),
    );
    await until(() => backend === "nvrtc" || readdirSync(temporary).length > 0);
    controller.abort("enough");
    for (const call of calls) expect(await call).toMatchObject({ code: "ABORTED", cause: "enough" });
    expect(await compiler.compile(KERNEL, { arch, signal }).catch((error) => error)).toMatchObject({
      code: "ABORTED",
    });
    await until(() => readdirSync(temporary).length === 0);
  });

  test("ends with its compiler", async () => {
    const own = new CudaCompiler({ backend, workers: 1, cache: false });
    const calls = [source, KERNEL].map((text) => own.compile(text, { arch }).catch((error) => error));
    own[Symbol.dispose]();
    own[Symbol.dispose]();
    for (const call of calls) expect(await call).toMatchObject({ code: "DISPOSED" });
    expect(await own.compile(KERNEL, { arch }).catch((error) => error)).toMatchObject({ code: "DISPOSED" });
    await own[Symbol.asyncDispose]();
    await until(() => readdirSync(temporary).length === 0);
  });

  test("is awaited by asynchronous disposal", async () => {
    const own = new CudaCompiler({ backend, workers: 1, cache: false });
    const calls = [own.compile(KERNEL, { arch }), own.compile(KERNEL, { arch })];
    await Promise.all([own[Symbol.asyncDispose](), own[Symbol.asyncDispose]()]);
    for (const call of calls) expect((await call).ptx).toContain("scale");
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test.each([
  [
    { backend: "nvcd" },
    "option `backend`: expected `auto`, `nvrtc`, `nvcc`, found `nvcd`, did you mean `nvcc`?",
  ],
  [
    { memoryLimitBytes: 1000 },
    "option `memoryLimitBytes`: expected a whole number from 67108864 to 9007199254740991, found 1000",
  ],
  [{ workers: 0 }, "option `workers`: expected a whole number from 1 to 1024, found 0"],
  [{ arch }, "unknown option `arch`"],
  [5, "expected options as an object, found 5"],
])("refuses to create a compiler with %o", (options, message) => {
  expect(() => new CudaCompiler(options as object)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
  );
});

test.each([
  [{ backend: "nvcc" }, "unknown option `backend`"],
  [null, "expected options as an object, found null"],
])("refuses to create NVRTC with %o", (options, message) => {
  expect(() => new Nvrtc(options as object)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
  );
});

describe.skipIf(process.platform === "win32")("a compiler that fails", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ["kill -SEGV $$", "CRASHED", "nvcc was ended by SIGSEGV"],
    [`echo "nvcc error   : 'cicc' died due to signal 11" >&2; exit 139`, "CRASHED", "died due to signal 11"],
    [`echo "nvcc fatal   : Unsupported gpu architecture 'sm_90'" >&2; exit 1`, "UNSUPPORTED_ARCH", "sm_90"],
    [
      `echo "nvcc fatal   : Memory allocation failure" >&2; exit 1`,
      "OUT_OF_MEMORY",
      "Memory allocation failure",
    ],
    ["exit 3", "INTERNAL", "nvcc exited with code 3"],
    ["exit 0", "INTERNAL", "ENOENT"],
  ])("%s: %s", async (script, code, words) => {
    const fake = fakeTool("nvcc", script);
    try {
      vi.stubEnv("MM_PTX_NVCC", fake.path);
      using compiler = new CudaCompiler({ backend: "nvcc", cache: false });
      expect(compiler.path).toBe(fake.path);
      const error = await compiler.compile(KERNEL, { arch }).catch((caught) => caught);
      expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    } finally {
      fake.remove();
    }
  });

  test("ends together with the programs it started", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-child-"));
    const note = join(folder, "pid");
    const fake = fakeTool("nvcc", `sleep 600 &\necho $! > "${note}"\nwait`);
    try {
      vi.stubEnv("MM_PTX_NVCC", fake.path);
      using compiler = new CudaCompiler({ backend: "nvcc", cache: false });
      const controller = new AbortController();
      const call = compiler.compile(KERNEL, { arch, signal: controller.signal }).catch((error) => error);
      await until(() => existsSync(note) && readFileSync(note, "utf8").trim() !== "");
      const pid = Number(readFileSync(note, "utf8"));
      controller.abort();
      expect(await call).toMatchObject({ code: "ABORTED" });
      await until(() => !isAlive(pid));
    } finally {
      fake.remove();
      rmSync(folder, { recursive: true });
    }
  });

  test("is ended with what it started if they take more memory than they may", async () => {
    const program = "const kept = Buffer.alloc(200 * 2 ** 20, 1); setInterval(() => kept, 1000);";
    const start = `${process.execPath} -e '${program}' &\n`;
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-child-"));
    const note = join(folder, "pids");
    // Only together do they take that much.
    const fake = fakeTool("nvcc", `${`${start}echo $! >> "${note}"\n`.repeat(2)}wait`);
    try {
      vi.stubEnv("MM_PTX_NVCC", fake.path);
      using compiler = new CudaCompiler({
        backend: "nvcc",
        cache: false,
        memoryLimitBytes: 400 * 2 ** 20,
      });
      await expect(compiler.compile(KERNEL, { arch })).rejects.toMatchObject({
        code: "OUT_OF_MEMORY",
        message: expect.stringContaining("took more than 419430400 bytes of memory, the `memoryLimitBytes`"),
      });
      const pids = readFileSync(note, "utf8").trim().split("\n").map(Number);
      expect(pids).toHaveLength(2);
      await until(() => !pids.some(isAlive));
    } finally {
      fake.remove();
      rmSync(folder, { recursive: true });
    }
  });

  test("is ended after ten minutes by default", async () => {
    const fake = fakeTool("nvcc", "sleep 1000");
    try {
      vi.stubEnv("MM_PTX_NVCC", fake.path);
      using compiler = new CudaCompiler({ backend: "nvcc", cache: false });
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      const call = compiler.compile(KERNEL, { arch }).catch((error) => error);
      vi.advanceTimersByTime(600_000);
      expect(await call).toMatchObject({
        code: "TIMEOUT",
        message:
          "expected the compile to finish within 600000 ms (the default of nvcc), stopped it after that time",
      });
    } finally {
      vi.useRealTimers();
      fake.remove();
    }
  });

  test("that was deleted before the compile is reported", async () => {
    const fake = fakeTool("nvcc", "exit 0");
    vi.stubEnv("MM_PTX_NVCC", fake.path);
    using compiler = new CudaCompiler({ backend: "nvcc", cache: false });
    fake.remove();
    expect(await compiler.compile(KERNEL, { arch }).catch((error) => error)).toMatchObject({
      code: "INTERNAL",
      message: expect.stringMatching(/nvcc.*(No such file|ENOENT)/),
    });
  });
});

test.runIf(NVRTC)("a compile that exceeds its memory limit fails alone", { timeout: 60_000 }, async () => {
  using compiler = new CudaCompiler({ memoryLimitBytes: 256 * 2 ** 20, cache: false });
  expect(compiler.backend).toBe("nvrtc");
  const large = "__device__ unsigned char bytes[100000000] = { 1 };\n";
  const [failed, made] = await Promise.allSettled(
    [large, KERNEL].map((text) => compiler.compile(text, { arch })),
  );
  expect(failed).toMatchObject({
    reason: {
      code: "OUT_OF_MEMORY",
      message: expect.stringContaining("took more than 268435456 bytes of memory"),
    },
  });
  expect(made!.status).toBe("fulfilled");
});

test.runIf(NVRTC)("works in several worker threads", async () => {
  const script = `import { parentPort } from "node:worker_threads";
import { Nvrtc } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
const { ptx } = await new Nvrtc({ cache: false }).compile(${JSON.stringify(KERNEL)}, { arch: "sm_90" });
parentPort.postMessage(ptx);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => {
      const worker = new Worker(url);
      return new Promise<string>((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
  for (const ptx of answers) expect(ptx).toContain(".entry scale(");
});
