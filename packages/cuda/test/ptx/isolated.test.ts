// Worker processes: PTX that crashes the compiler affects only its own job, and no worker outlives its parent.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { type JobResult, PtxCompileError, PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { ISOLATED } from "../support/backends.js";
import { workerProcesses } from "../support/processes.js";
import { module, slowModule, stubbornModule } from "../support/ptx.js";

const FOLDER = fileURLToPath(new URL("./crashers", import.meta.url));
const CRASHERS = readdirSync(FOLDER).map(
  (name) => [name, /sm_\w+(?=\.ptx$)/.exec(name)![0], readFileSync(`${FOLDER}/${name}`, "utf8")] as const,
);
/** The compiler needs 7 GB for this. */
const HUGE = module("huge", "\t.reg .f32 %v<1000000000>;\n");
const MIB = 2 ** 20;
const LIMIT = 1024 * MIB;

const make = (options: Partial<PtxCompilerOptions> = {}): PtxCompiler =>
  new PtxCompiler({ cache: false, arch: "sm_80", backend: "isolated", ...options });

const failure = async (compile: Promise<unknown>): Promise<PtxCompileError> => {
  const caught = await compile.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(caught).toBeInstanceOf(PtxCompileError);
  return caught as PtxCompileError;
};

const codes = (results: readonly JobResult[]): string[] =>
  results.map((result) => (result.ok ? "ok" : result.error.code));

describe.runIf(ISOLATED)("isolated", { timeout: 60_000 }, () => {
  test.each(CRASHERS)("%s fails alone, with the signal and its PTX", async (_, arch, ptx) => {
    using compiler = make({ arch });
    const jobs = Array.from({ length: 20 }, (__, i) => (i % 5 === 2 ? ptx : module(`k${i}`)));
    const results = await compiler.compileAll(jobs);
    expect(codes(results)).toEqual(jobs.map((job) => (job === ptx ? "CRASHED" : "ok")));
    const crashed = results[2]!;
    expect(!crashed.ok && crashed.error).toMatchObject({
      message: expect.stringMatching(/^the compiler's process was killed by SIG[A-Z]+$/),
      ptx,
    });
    expect(compiler.stats).toMatchObject({ workersCrashed: 4, compiled: 16, failed: 4 });
  });

  test("a compile over its memory limit fails alone", async () => {
    using compiler = make({ memoryLimitBytes: LIMIT });
    const results = await compiler.compileAll([module("a"), HUGE, module("b"), module("c")]);
    expect(codes(results)).toEqual(["ok", "OUT_OF_MEMORY", "ok", "ok"]);
    const { workersOutgrown, workerPeakBytes } = compiler.stats;
    expect(workersOutgrown).toBe(1);
    // The limit is checked every few milliseconds.
    expect(workerPeakBytes).toBeGreaterThan(LIMIT);
    expect(workerPeakBytes).toBeLessThan(3 * LIMIT);
  });

  test.runIf(existsSync("/usr/bin/prlimit"))("a compile that runs out of memory fails alone", async () => {
    using compiler = make({ workers: 1 });
    await compiler.compile(module());
    for (const pid of workerProcesses()) execFileSync("prlimit", ["--pid", `${pid}`, `--as=${LIMIT}`]);
    const results = await compiler.compileAll([module("a"), HUGE, module("b")]);
    expect(codes(results)).toEqual(["ok", "OUT_OF_MEMORY", "ok"]);
    expect(results[1]).toMatchObject({ error: { message: "the compiler ran out of memory" } });
    expect(compiler.stats).toMatchObject({ workersStarted: 1, workersCrashed: 0 });
  });

  test("a compile that does not respond is ended at its timeout, with its worker", async () => {
    using compiler = make({ workers: 1 });
    const error = await failure(compiler.compile(stubbornModule(20_000, 512), { timeoutMs: 2000 }));
    expect(error.code).toBe("TIMEOUT");
    await compiler.compile(module());
    expect(compiler.stats).toMatchObject({ workersStarted: 2, workersCrashed: 0 });
  });

  test("a pack of kernels is cancelled without ending its worker", async () => {
    using compiler = make({ workers: 1 });
    await compiler.compile(module());
    const started: number[] = [compiler.stats.workersStarted];
    // On a busy machine a worker may be notified too late, but it is always notified.
    while (started.length < 2 || (started.at(-1) !== started.at(-2) && started.length < 100)) {
      const controller = new AbortController();
      const pending = failure(compiler.compile(slowModule(2000), { signal: controller.signal }));
      setTimeout(() => controller.abort(), 100);
      expect((await pending).code).toBe("ABORTED");
      await compiler.compile(module());
      started.push(compiler.stats.workersStarted);
    }
    expect(started.at(-1)).toBe(started.at(-2));
  });

  test("jobs whose workers are killed from outside run again", { timeout: 600_000 }, async () => {
    using compiler = make({ workers: 2 });
    const jobs = Array.from({ length: smoke(2000) }, (_, i) => module(`k${i}`));
    // No job is tried without end, so workers get something done between two kills.
    let next = 0;
    const killing = setInterval(() => {
      if (compiler.stats.compiled < next) return;
      next = compiler.stats.compiled + 4;
      const pid = workerProcesses().at(-1);
      try {
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      } catch {
        // The worker ended between the two calls.
      }
    }, 50);
    const results = await compiler.compileAll(jobs);
    clearInterval(killing);
    expect(codes(results).filter((code) => code !== "ok")).toEqual([]);
    expect(compiler.stats.workersCrashed).toBeGreaterThan(0);
  });

  test.each(["SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT"] as const)(
    "a worker that dies of %s while it is idle fails no job",
    async (signal) => {
      using compiler = make({ workers: 1 });
      await compiler.compile(module("before"));
      for (const pid of workerProcesses()) process.kill(pid, signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await compiler.compile(module("after"));
      expect(compiler.stats).toMatchObject({ compiled: 2, failed: 0, workersCrashed: 0 });
    },
  );

  test("the reported peak memory is that of a worker, not of this process", async () => {
    using compiler = make({ workers: 1 });
    const ballast = Buffer.alloc(700 * MIB, 1);
    await compiler.compile(module());
    expect(compiler.stats.workerPeakBytes).toBeGreaterThan(4 * MIB);
    expect(compiler.stats.workerPeakBytes).toBeLessThan(ballast.length / 2);
  });

  test("jobs continue while workers die and the environment of this process changes", async () => {
    using compiler = make({ workers: 2 });
    const jobs = Array.from({ length: SOAK ? 120 : 48 }, (_, i) =>
      i % 3 === 0 ? CRASHERS[0]![2] : module(`k${i}`),
    );
    const names: string[] = [];
    const changing = setInterval(() => {
      for (let i = 0; i < 50; i++) {
        names.push(`MM_PTX_TEST_${names.length}`);
        process.env[names.at(-1)!] = "x".repeat(names.length);
      }
    }, 1);
    try {
      const results = await compiler.compileAll(jobs);
      expect(codes(results)).toEqual(jobs.map((_, i) => (i % 3 === 0 ? "CRASHED" : "ok")));
    } finally {
      clearInterval(changing);
      for (const name of names) delete process.env[name];
    }
  });

  test.runIf(existsSync("/bin/bash"))("continues after a temporary lack of file descriptors", async () => {
    const index = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
    const source = `
      import { openSync, closeSync } from "node:fs";
      import { PtxCompiler } from ${JSON.stringify(index)};
      const compiler = new PtxCompiler({ arch: "sm_80", backend: "isolated", workers: 2, cache: false });
      const files = [];
      try { for (;;) files.push(openSync("/dev/null")); } catch {}
      const first = compiler.compile(${JSON.stringify(module("a"))});
      setTimeout(() => files.forEach((file) => closeSync(file)), 60);
      const code = (compile) => compile.then(() => "ok", (error) => error.code);
      console.log(await code(first), await code(compiler.compile(${JSON.stringify(module("b"))})));
      compiler[Symbol.dispose]();`;
    const words = ["-c", 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, source];
    expect(execFileSync("/bin/bash", words, { encoding: "utf8" })).toBe("ok ok\n");
  });

  test("disposal leaves no process running", async () => {
    const before = workerProcesses().length;
    const compiler = make({ workers: 2 });
    await compiler.compileAll([module("a"), module("b"), module("c")]);
    expect(workerProcesses().length).toBeGreaterThan(before);
    compiler[Symbol.dispose]();
    await expect.poll(() => workerProcesses().length).toBe(before);
  });

  test("the end of the process leaves no process running, however it ends", async () => {
    const index = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
    const source = `
      import { readFileSync } from "node:fs";
      import { PtxCompiler } from ${JSON.stringify(index)};
      const stubborn = readFileSync(0, "latin1");
      const compiler = new PtxCompiler({ cache: false, arch: "sm_80", backend: "isolated", workers: 2 });
      await compiler.compileAll([${JSON.stringify(module("a"))}, ${JSON.stringify(module("b"))}]);
      compiler.compile(stubborn).catch(() => {});
      console.log("ready");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end(stubbornModule(12_000, 400));
    await once(child.stdout, "data");
    const pids = workerProcesses(child.pid);
    expect(pids.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "exit");
    const alive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.filter(alive), { timeout: 5000 }).toEqual([]);
  });

  test("workers refuse to be started by hand", () => {
    const folder = fileURLToPath(new URL("../../npm/", import.meta.url));
    const worker = `${folder}${process.platform}-${process.arch}/mmptx-worker`;
    expect(() => execFileSync(worker, { stdio: "pipe" })).toThrow("is started by @mm-ptx/cuda");
  });
});
