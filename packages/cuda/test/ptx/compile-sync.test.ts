// Blocking compiles on every backend, with the same errors as asynchronous ones, beside earlier jobs.

import { expect, it } from "vitest";
import { PtxCompileError, PtxCompiler } from "../../src/index.js";
import { BACKENDS, IN_PROCESS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

const compilerOf = (backend: (typeof BACKENDS)[number]) =>
  new PtxCompiler({ arch: "sm_80", backend, workers: 1, cache: false });

it.each(BACKENDS)("returns the result of compile, backend %s", async (backend) => {
  using compiler = compilerOf(backend);
  const waited = await compiler.compile(module());
  const blocked = compiler.compileSync(module());
  expect(Buffer.from(blocked.cubin).equals(waited.cubin)).toBe(true);
  expect(blocked.kernels).toEqual(waited.kernels);
  expect(blocked.info.kernels).toEqual(waited.info.kernels);
  expect(compiler.stats).toMatchObject({ compiled: 2, failed: 0, queued: 0 });
});

it.each(BACKENDS)("throws the error that compile rejects with, backend %s", async (backend) => {
  using compiler = compilerOf(backend);
  for (const ptx of ["", module("k", "	nonsense;\n"), "ä"]) {
    const rejected = await compiler.compile(ptx).catch((error: unknown) => error as PtxCompileError);
    const thrown = thrownBy(() => compiler.compileSync(ptx));
    expect(thrown).toBeInstanceOf(PtxCompileError);
    expect(thrown).toMatchObject({ code: (rejected as PtxCompileError).code });
    expect((thrown as Error).message).toBe((rejected as Error).message);
  }
});

it.each(BACKENDS)("enforces its timeout, backend %s", (backend) => {
  using compiler = compilerOf(backend);
  expect(thrownBy(() => compiler.compileSync(slowModule(4000), { timeoutMs: 20 }))).toMatchObject({
    code: "TIMEOUT",
  });
  expect(compiler.compileSync(module()).cubin.length).toBeGreaterThan(0);
});

it.skipIf(!IN_PROCESS)("lets earlier jobs continue, and settles them", async () => {
  using other = new PtxCompiler({ arch: "sm_80", backend: "in-process", workers: 1, cache: false });
  using compiler = compilerOf("in-process");
  const before = [other.compile(module("a")), compiler.compile(module("b"))];
  expect(compiler.compileSync(module("c")).kernels[0]!.name).toBe("c");
  expect((await Promise.all(before)).map(({ kernels }) => kernels[0]!.name)).toEqual(["a", "b"]);
});

it("uses the cache, and adds to it", async () => {
  const cache = { maxBytes: 0, memoryBytes: 2 ** 20 };
  using compiler = new PtxCompiler({ arch: "sm_80", workers: 1, cache });
  expect(compiler.compileSync(module()).info.from).toBe("compiled");
  expect(compiler.compileSync(module()).info.from).toBe("cache");
  expect((await compiler.compile(module())).info.from).toBe("cache");
  expect(compiler.stats).toMatchObject({ compiled: 1, fromCache: 2 });
});

it("compiles for several architectures", () => {
  using compiler = new PtxCompiler({ arch: "sm_80", workers: 1, cache: false });
  const { modules } = compiler.compileSync({ ptx: module(), arch: ["sm_80", "sm_90"] });
  expect(modules.map(({ arch }) => arch)).toEqual(["sm_80", "sm_90"]);
});

it("rejects unknown options, and a disposed compiler", () => {
  const compiler = new PtxCompiler({ arch: "sm_80", workers: 1, cache: false });
  expect(thrownBy(() => compiler.compileSync(module(), { timeout: 1 } as never))).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(thrownBy(() => compiler.compileSync(module(), { timeoutMs: 0.5 }))).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  compiler[Symbol.dispose]();
  expect(thrownBy(() => compiler.compileSync(module()))).toMatchObject({ code: "DISPOSED" });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
