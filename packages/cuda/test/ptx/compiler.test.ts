// Compiling on every backend of this machine: cubins, their information, and options.

import { PTX_VERSIONS } from "@mm-ptx/ptx";
import { afterAll, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import {
  capabilities,
  diffMachineCode,
  findPtxas,
  PtxCompileError,
  PtxCompiler,
  readCubin,
} from "../../src/index.js";
import { loadNative } from "../../src/native/load.js";
import { loadPtxLinker } from "../../src/native/ptx-linker.js";
import { ptxVersionsOf } from "../../src/ptx/ptx-versions.js";
import { VERSION } from "../../src/version.js";
import { BACKENDS, PTXAS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

test("this machine has at least one backend", () => {
  expect(BACKENDS.length, "no compiler to test with").toBeGreaterThan(0);
});

test("the version in the sources is the package's", () => {
  expect(VERSION).toBe(packageJson.version);
});

describe.each(BACKENDS)("backend %s", (backend) => {
  const compiler = new PtxCompiler({ arch: "sm_90", backend, workers: 2, cache: false });
  afterAll(() => compiler[Symbol.dispose]());

  test("compiles text, bytes and objects to the same cubin with its info", async () => {
    const ptx = module();
    const located = { locate: () => undefined, stubs: () => [] };
    const [text, bytes, object, objectOfBytes, ...ended] = await Promise.all([
      compiler.compile(ptx),
      compiler.compile(Buffer.from(ptx)),
      compiler.compile({ ptx }),
      compiler.compile({ ptx: new TextEncoder().encode(ptx) }),
      compiler.compile(`${ptx}\0`),
      compiler.compile({ ptx: Buffer.from(`${ptx}\0\0`) }),
      compiler.compile({ ptx: { ...located, text: `${ptx}\0` } }),
    ]);
    expect(readCubin(text.cubin)).toMatchObject({ arch: "sm_90", entries: ["scale"] });
    for (const other of [bytes, object, objectOfBytes, ...ended]) {
      expect(diffMachineCode(text.cubin, other.cubin)).toEqual([]);
    }
    expect(text.info).toMatchObject({ backend, warnings: [] });
    expect(text.info.milliseconds).toBeGreaterThan(0);
    expect(text.info.kernels).toEqual([
      {
        name: "scale",
        registers: 8,
        spillStores: 0,
        spillLoads: 0,
        stackFrame: 0,
        barriers: 0,
        sharedBytes: 0,
      },
    ]);
  });

  test("lists kernels in source order", async () => {
    const { info } = await compiler.compile(slowModule(3));
    expect(info.kernels.map(({ name }) => name)).toEqual(["k0", "k1", "k2"]);
  });

  test("passes its options on", async () => {
    const plain = await compiler.compile(module());
    using other = new PtxCompiler({
      arch: "sm_80",
      backend,
      effort: "draft",
      maxRegisters: 32,
      lineInfo: true,
    });
    const { cubin, info } = await other.compile(module());
    expect(readCubin(cubin).arch).toBe("sm_80");
    expect(info.kernels[0]?.constantBytes).toBeGreaterThan(0);
    const names = (bytes: Uint8Array) => readCubin(bytes).sections.map(({ name }) => name);
    expect(names(cubin)).toContain(".debug_line");
    expect(names(plain.cubin)).not.toContain(".debug_line");
    expect(other.options).toMatchObject({ arch: "sm_80", effort: "draft", maxRegisters: 32, lineInfo: true });
  });

  test("a bad job affects no other job, and results are in input order", async () => {
    const jobs = Array.from({ length: 40 }, (_, i) => ({ ptx: i % 10 === 4 ? "no ptx" : module(`k${i}`) }));
    const results = await compiler.compileAll(jobs);
    expect(results.map(({ index }) => index)).toEqual(jobs.map((_, i) => i));
    for (const [i, result] of results.entries()) {
      if (result.ok) expect(readCubin(result.cubin).entries).toEqual([`k${i}`]);
      else expect([i % 10, result.error.code]).toEqual([4, "SYNTAX"]);
    }
    expect(results.filter(({ ok }) => !ok)).toHaveLength(4);
  });

  test("invalid jobs fail alone", async () => {
    const gone = new Uint8Array(8);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const jobs = [module(), 5, null, undefined, {}, { ptx: 1 }, gone] as unknown as string[];
    const results = await compiler.compileAll(jobs);
    expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
      "ok",
      ...Array.from({ length: 6 }, () => "INVALID_ARGUMENT"),
    ]);
  });

  test("reports its compiler", () => {
    expect(compiler.backend).toBe(backend);
    expect(compiler.version).toMatch(/^(nvJitLink )?\d+\.\d+\.\d+$/);
    if (backend === "ptxas") expect(compiler.version).toBe(findPtxas()?.version);
    const { architectures, compilerVersion } = compiler.capabilities();
    expect(architectures).toContain("sm_121f");
    expect(compilerVersion).toBe(capabilities().compilerVersion);
  });

  test("keeps the caller's text out of its options", async () => {
    const error = await compiler.compile("--help").catch((caught) => caught);
    expect(error).toBeInstanceOf(PtxCompileError);
    expect(error).toMatchObject({ code: "SYNTAX" });
  });
});

test("auto selects the first available backend", () => {
  using compiler = new PtxCompiler({ cache: false, arch: "sm_75" });
  expect(compiler.backend).toBe(BACKENDS[0]);
});

test.runIf(BACKENDS.length > 0)("each of NVIDIA's compilers says which PTX it accepts", () => {
  const lists = [
    loadNative().native?.ptxVersions,
    loadPtxLinker().native?.ptxVersions,
    PTXAS ? ptxVersionsOf(findPtxas()!.path) : undefined,
  ].filter((list) => list !== undefined);
  for (const list of lists) {
    expect(list).toContain("8.8");
    expect(list).not.toContain("8.9");
    expect(PTX_VERSIONS.slice(0, list.length)).toEqual(list);
  }
});

test.skipIf(loadNative().native === undefined)("the library accepts PTX from 1.0 to its own version", () => {
  const { native } = loadNative();
  expect(native?.ptxVersions[0]).toBe("1.0");
  expect(native?.ptxVersions.at(-1)).toBe("9.0");
  expect(native?.compilerVersion).toBe("13.0.88");
});
