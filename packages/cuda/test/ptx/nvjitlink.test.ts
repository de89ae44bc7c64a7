// nvJitLink in worker processes: what the workers contain is contained here as well.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { diffMachineCode, type JobResult, PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { BACKENDS, ISOLATED } from "../support/backends.js";
import { module, stubbornModule } from "../support/ptx.js";

const FOLDER = new URL("./crashers/", import.meta.url);
const CRASHERS = readdirSync(FOLDER).map(
  (name) => [name, /sm_\w+(?=\.ptx$)/.exec(name)![0], readFileSync(new URL(name, FOLDER), "utf8")] as const,
);
const MIB = 2 ** 20;

const make = (options: Partial<PtxCompilerOptions> = {}): PtxCompiler =>
  new PtxCompiler({ cache: false, arch: "sm_80", backend: "nvjitlink", workers: 1, ...options });
const codes = (results: readonly JobResult[]): string[] =>
  results.map((result) => (result.ok ? "ok" : result.error.code));

describe.runIf(BACKENDS.includes("nvjitlink"))("nvJitLink", { timeout: 60_000 }, () => {
  test.each(CRASHERS)("%s fails alone", async (_, arch, ptx) => {
    using compiler = make({ arch });
    const results = await compiler.compileAll([module("a"), ptx, module("b")]);
    expect(codes(results)).toEqual(["ok", "CRASHED", "ok"]);
  });

  test("a compile that does not respond is ended at its timeout, with its worker", async () => {
    using compiler = make();
    const stubborn = stubbornModule(20_000, 512);
    const [result] = await compiler.compileAll([{ ptx: stubborn, timeoutMs: 2000 }]);
    expect(codes([result!])).toEqual(["TIMEOUT"]);
    await compiler.compile(module());
    expect(compiler.stats).toMatchObject({ workersStarted: 2, workersCrashed: 0 });
  });

  test("a compile over its memory limit fails alone", async () => {
    using compiler = make({ memoryLimitBytes: 1024 * MIB });
    const huge = module("huge", "\t.reg .f32 %v<1000000000>;\n");
    expect(codes(await compiler.compileAll([module("a"), huge, module("b")]))).toEqual([
      ...["ok", "OUT_OF_MEMORY", "ok"],
    ]);
  });

  test("a memory limit counts what a compile takes, not what the library itself takes more", async () => {
    // nvPTXCompiler needs 49 MiB for it, and nvJitLink 71 MiB.
    const operations = ["add", "sub", "mul", "min", "max"];
    const lines = Array.from({ length: 12_000 }, (_, i) => {
      const [to, one, other] = [1 + (i % 3), 1 + ((i * 5 + 1) % 3), 1 + ((i >> 1) % 3)];
      return `\t${operations[(i * 7 + (i >> 3)) % 5]}.f32 %f${to}, %f${one}, %f${other};\n`;
    });
    const body = lines.join("");
    using compiler = make({ memoryLimitBytes: 64 * MIB });
    expect(codes(await compiler.compileAll([module("a"), module("long", body)]))).toEqual(["ok", "ok"]);
  });

  test("an aborted compile leaves its worker to the next one", async () => {
    using compiler = make();
    const controller = new AbortController();
    const pending = compiler.compile(stubbornModule(400, 64), { signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "ABORTED" });
    await compiler.compile(module());
    expect(compiler.stats).toMatchObject({ workersStarted: 1, workersCrashed: 0 });
  });

  test.runIf(process.platform === "linux")("its workers can be confined", async () => {
    using compiler = make({ confine: "required" });
    expect((await compiler.compile(module())).info.backend).toBe("nvjitlink");
  });

  test.runIf(ISOLATED)("its cubins have other entries in the cache, for the same code", () => {
    using one = make();
    using other = make({ backend: "isolated" });
    expect(one.version).not.toBe(other.version);
    const [linked, compiled] = [one, other].map((compiler) => compiler.compileSync(module()).cubin);
    const code = diffMachineCode(linked!, compiled!).filter((name) => /^\.(text|nv\.constant)/.test(name));
    expect(code).toEqual([]);
  });
});
