// Compiling CUDA with each compiler of this machine: the results, the effect of headers and options, and the
// reported mistakes.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { type CudaCompileError, CudaCompiler, Nvrtc, PtxCompiler, readCubin } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { CUDA_BACKENDS, KERNEL, NVRTC } from "../support/cuda.js";

const arch = "sm_90";

describe.each(CUDA_BACKENDS)("backend %s", { timeout: 120_000 }, (backend) => {
  const compiler = new CudaCompiler({ backend, workers: 2, cache: false });
  afterAll(() => compiler[Symbol.dispose]());
  const failureOf = (source: string, options = {}): Promise<CudaCompileError> =>
    compiler.compile(source, { arch, ...options }).then(
      () => expect.fail("it compiled"),
      (error) => error,
    );

  test("produces PTX that compiles", async () => {
    const { ptx, log, warnings, milliseconds, ...rest } = await compiler.compile(KERNEL, { arch: "sm_80" });
    expect(ptx).toContain(".visible .entry scale(");
    expect(ptx).toContain(".target sm_80");
    expect(ptx.endsWith("}\n\n") || ptx.endsWith("}\n")).toBe(true);
    expect({ log, warnings }).toEqual({ log: "", warnings: [] });
    expect(milliseconds).toBeGreaterThan(0);
    expect(rest).toEqual({ loweredNames: {}, backend, from: "compiled" });
    if (BACKENDS.length === 0) return;
    await using assembler = new PtxCompiler({ arch, cache: false, workers: 1 });
    expect(readCubin((await assembler.compile(ptx)).cubin).entries).toEqual(["scale"]);
  });

  test("warns of annotations that are still comments, in a result that prints as values", async () => {
    const source = KERNEL.replace("x[threadIdx.x] *= 2;", "\n  /* PTX_INJECT site\n    mod f32 x\n  */\n");
    const result = await compiler.compile(`// /* PTX_INJECT in prose */\n${source}`, {
      arch,
      name: "own.cu",
    });
    expect(result.warnings).toMatchObject([
      {
        severity: "warning",
        file: "own.cu",
        line: 3,
        column: 3,
        message: expect.stringMatching(/^expected a site `site`, found a comment: `annotateCuda` of/),
      },
    ]);
    expect(inspect(result)).not.toContain("Getter");
  });

  test("produces machine code", async () => {
    const result = await compiler.compile(KERNEL, { arch: "sm_90a", output: "cubin" });
    expect(readCubin(result.cubin)).toMatchObject({ arch: "sm_90a", entries: ["scale"] });
    expect(Object.keys(result)).not.toContain("ptx");
  });

  test("finds ptx_inject.h and the CUDA headers itself", async () => {
    const source = `#include <ptx_inject.h>
#include <cuda_fp16.h>
extern "C" __global__ void k(__half* x) {
  __half y = x[0], z = x[1];
  PTX_INJECT("func", PTX_MOD(F16, y), PTX_IN(F16, z));
  x[0] = y;
}\n`;
    const { ptx } = await compiler.compile(source, { arch });
    expect(ptx).toMatch(/PTX_INJECT_START func[\s\S]*m b16 F16 y[\s\S]*i b16 F16 z/);
  });

  test("finds headers in folders and in texts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "with, comma "));
    try {
      writeFileSync(join(folder, "in-folder.h"), "#define FOLDER 40\n");
      const source = `#include "in-folder.h"\n#include "deep/text.h"\n__global__ void k(int* x) { x[0] = FOLDER + TEXT; }\n`;
      const headers = { "deep/text.h": "#define TEXT 2\n" };
      const { ptx } = await compiler.compile(source, { arch, includes: [folder], headers });
      expect(ptx).toContain(", 42;");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("does not search the current folder for headers by default", async () => {
    const source = '#include "biome.json"\n';
    expect(await failureOf(source)).toMatchObject({ code: "MISSING_HEADER" });
    expect(await failureOf(source, { includes: ["."] })).toMatchObject({ code: "COMPILATION" });
  });

  test("names its own files as the caller knows them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-names-"));
    try {
      const file = join(folder, "no-folder");
      writeFileSync(file, "");
      const { log, warnings } = await compiler.compile(KERNEL, { arch, includes: [file] });
      // nvcc warns about it, NVRTC does not.
      expect(log).not.toContain("../include");
      for (const { message } of warnings) expect(message).toContain(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const error = await failureOf(KERNEL, { defines: { defined: 1 } });
    expect(error.code).toBe("COMPILATION");
    expect(error.message).not.toContain("..");
  });

  test("defines macros, with commas, quotes and parameters", async () => {
    const defines = {
      PLAIN: 1000,
      CALL: "f(20, 3)",
      YES: true as const,
      "ADD(a, b)": "a + b",
      WORD: "'A'",
      NOTHING: "",
    };
    const source = `__device__ int f(int a, int b) { return a + b; }
__global__ void k(int* x) { NOTHING x[0] = PLAIN + CALL + YES + ADD(30000, 400000) + WORD; }\n`;
    const { ptx } = await compiler.compile(source, { arch, defines });
    expect(ptx).toContain(`, ${1000 + 23 + 1 + 430_000 + 65};`);
  });

  test("passes its options on", async () => {
    const source = `#if __cplusplus >= 202002L
template <class T> concept Any = true;
#endif
extern "C" __global__ void k(float* x) { int unused; x[0] = x[1] * x[2] + x[3] / x[4]; }\n`;
    const plain = await compiler.compile(source, { arch, standard: "c++14" });
    expect(plain.warnings).toHaveLength(1);
    expect(plain.ptx).toMatch(/fma\.rn\.f32/);
    const options = {
      standard: "c++20",
      fmad: false,
      fastMath: true,
      lineInfo: true,
      suppress: [177],
    } as const;
    const other = await compiler.compile(source, { arch, ...options });
    expect(other.warnings).toEqual([]);
    expect(other.ptx).not.toMatch(/fma\.rn/);
    expect(other.ptx).toMatch(/div\.approx\.ftz\.f32/);
    expect(other.ptx).toMatch(/\.loc/);
    const { ptx } = await compiler.compile(source, { arch, debug: true });
    expect(ptx).toContain(".target sm_90, debug");
  });

  test("never executes text in a name, a macro or a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "evil $(touch evil) `touch evil` ; touch evil ' & "));
    const words = "$(touch evil) `touch evil` ; touch evil & touch evil |";
    try {
      writeFileSync(join(folder, "own.h"), "#error found\n");
      const options = { includes: [folder], name: `${words} ' kernel.cu`, defines: { A: words } };
      const error = await failureOf('#include "own.h"\n', options);
      expect(error.diagnostics[0]).toMatchObject({ file: join(folder, "own.h"), line: 1 });
      expect(error.diagnostics[0]!.message).toContain("found");
      expect((await failureOf("nonsense", options)).diagnostics[0]).toMatchObject({
        file: options.name,
        line: 1,
      });
      expect(existsSync("evil")).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("reports warnings with their number and place", async () => {
    const source = "__global__ void k(float* x) {\n\tint unused;\n}\n";
    const { warnings, log } = await compiler.compile(source, { arch, name: "my kernel.cu" });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      severity: "warning",
      file: "my kernel.cu",
      line: 2,
      number: "177-D",
      message: 'variable "unused" was declared but never referenced',
    });
    expect(log).toContain("#177-D");
  });

  test("reports every error with its place and line", async () => {
    const source = `#include "own.h"
__device__ int a = first;
template <class T> __device__ T g(T x) { return x.nothing; }
__global__ void k(int* x) { x[0] = g(1) + second; }\n`;
    const error = await failureOf(source, { headers: { "own.h": "#define UNUSED\n" } });
    expect(error).toMatchObject({ name: "CudaCompileError", code: "COMPILATION" });
    const places = error.diagnostics.map(({ severity, file, line }) => [severity, file, line]);
    expect(places).toEqual([
      ["error", "kernel.cu", 2],
      ["error", "kernel.cu", 4],
      ["error", "kernel.cu", 3],
    ]);
    expect(error.message.split("\n", 1)[0]).toMatch(
      /^CUDA does not compile for `sm_90`: kernel\.cu:2(:\d+)?: identifier "first" is undefined \(and 2 more\)$/,
    );
    expect(error.message).toContain("    2 | __device__ int a = first;\n      | ");
    expect(error.diagnostics[2]!.message).toMatch(
      /detected during instantiation of "T g\(T\) \[with T=int\]"/,
    );
    expect(error.log).toContain("3 errors detected");
  });

  test("reports an error in a header", async () => {
    const error = await failureOf('#include "own.h"\n', {
      headers: { "own.h": "\n__device__ int a = b;\n" },
    });
    expect(error.diagnostics[0]).toMatchObject({ line: 2, severity: "error" });
    expect(error.diagnostics[0]!.file).toMatch(/own\.h$/);
  });

  test("reports an error of the assembler", async () => {
    const source = `__global__ void k() { asm volatile("nonsense;"); }\n`;
    const error = await failureOf(source, { output: "cubin" });
    expect(error).toMatchObject({ code: "COMPILATION" });
    expect(error.diagnostics).toEqual([
      {
        severity: "error",
        file: "PTX",
        line: expect.any(Number),
        message: expect.stringContaining("nonsense"),
      },
    ]);
  });

  test("names the missing header", async () => {
    const error = await failureOf("\n#include <nowhere.h>\n");
    expect(error).toMatchObject({ code: "MISSING_HEADER" });
    expect(error.message).toMatch(/kernel\.cu:2:\d+: .*nowhere\.h/);
  });

  test("compiles several sources at once", async () => {
    const names = Array.from({ length: cases(40) }, (_, i) => `kernel_${i}`);
    const results = await Promise.all(
      names.map((name) => compiler.compile(KERNEL.replace("scale", name), { arch })),
    );
    for (const [i, { ptx }] of results.entries()) expect(ptx).toContain(`.entry ${names[i]}(`);
  });

  test("reports its properties", () => {
    expect(compiler.backend).toBe(backend);
    expect(compiler.version).toMatch(/^\d+\.\d+/);
    expect(compiler.path).toMatch(/nvrtc|nvcc/);
  });
});

describe.runIf(NVRTC)("NVRTC alone", () => {
  // Created when tests run, because the bodies of skipped suites run, too.
  let compiler: Nvrtc;
  beforeAll(() => {
    compiler = new Nvrtc({ cache: false });
  });
  afterAll(() => compiler[Symbol.dispose]());

  test("comes first", () => {
    using first = new CudaCompiler();
    expect(first.backend).toBe("nvrtc");
    expect(compiler.backend).toBe("nvrtc");
  });

  test("reports columns, also after tabs and multi-byte characters", async () => {
    const error = await compiler
      .compile("/* ü */\t__device__ int a = nope;\n", { arch })
      .catch((caught) => caught);
    expect(error.diagnostics[0]).toMatchObject({ line: 1, column: 28 });
    expect(error.message).toContain(":1:28: ");
  });

  test("looks up names, and instantiates templates for them", async () => {
    const source =
      "template <class T> __global__ void k(T* x) { x[0] = T(1); }\n__constant__ int table[4];\n";
    const names = ["k<float>", "k<double>", "&table"];
    const { ptx, loweredNames } = await compiler.compile(source, { arch, nameExpressions: names });
    expect(Object.keys(loweredNames)).toEqual(names);
    expect(loweredNames["k<float>"]).toBe("_Z1kIfEvPT_");
    for (const name of Object.values(loweredNames)) expect(ptx).toContain(name);
    const error = await compiler
      .compile(source, { arch, nameExpressions: ["nope"] })
      .catch((caught) => caught);
    expect(error).toMatchObject({ code: "COMPILATION" });
  });

  test("produces LTO-IR", async () => {
    const { ltoir } = await compiler.compile(KERNEL, { arch, output: "ltoir" });
    expect(ltoir).toBeInstanceOf(Uint8Array);
    expect(ltoir.length).toBeGreaterThan(500);
  });

  test("compiles functions without an execution space for the device, on request", async () => {
    const source = "int twice(int x) { return 2 * x; }\n__global__ void k(int* x) { x[0] = twice(x[0]); }\n";
    await compiler.compile(source, { arch, deviceByDefault: true });
    const error = await compiler.compile(source, { arch }).catch((caught) => caught);
    expect(error).toMatchObject({ code: "COMPILATION" });
  });

  test("does not grow this process, however much it compiles", { timeout: 300_000 }, async () => {
    await compiler.compile(KERNEL, { arch });
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    for (let i = 0; i < cases(200); i++) {
      if (i % 2 === 0) await compiler.compile(KERNEL, { arch, output: "cubin" });
      else await compiler.compile("nonsense", { arch }).catch(() => {});
    }
    // The library alone takes more than 100 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });
});
