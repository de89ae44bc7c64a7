// What PTX reaches that has taken over the compiler: with a compiler library that does it.

import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { CAN_REPLACE, NativeFolder } from "../support/native-folder.js";

const folder = new NativeFolder();
const needy = new NativeFolder();
if (CAN_REPLACE) {
  const source = readFileSync(new URL("hostile-compiler.c", import.meta.url), "utf8");
  folder.library("libmmptxc.so", source);
  needy.library("libmmptxc.so", `#define NEEDS_SOCKET\n${source}`);
}
afterAll(() => {
  folder.remove();
  needy.remove();
});
afterEach(() => vi.unstubAllEnvs());

/** A compiler with the hostile library. */
function hostile(options: Partial<PtxCompilerOptions> = {}, native = folder): PtxCompiler {
  vi.stubEnv("MM_PTX_NATIVE_DIR", native.path);
  vi.stubEnv("MM_PTX_SECRET", "password");
  return new PtxCompiler({ arch: "sm_80", workers: 1, cache: false, ...options });
}

const ptx = (what: string): string => `// hostile: ${what}\n`;
/** What the library says about an attempt, or the error. */
const attempt = async (compiler: PtxCompiler, what: string): Promise<unknown> => {
  try {
    return Buffer.from((await compiler.compile(ptx(what))).cubin).toString();
  } catch (error) {
    return error;
  }
};

describe.runIf(CAN_REPLACE)("a confined worker", () => {
  it.each([
    ..."read write delete socket connect send fork exec thread kill signal trace memory code limits advice".split(
      " ",
    ),
  ])("is ended when the compiler tries to %s", async (what) => {
    using compiler = hostile();
    expect(await attempt(compiler, what)).toMatchObject({
      code: "CRASHED",
      confined: "SIGSYS",
      message: expect.stringContaining("a system call that no compile needs"),
    });
    expect(await attempt(compiler, "nothing")).toBe("done");
    expect(compiler.stats).toMatchObject({ workersCrashed: 1, workersStarted: 2 });
  });

  it.each(["stat", "folder"])("finds no files when the compiler looks for one (%s)", async (what) => {
    using confined = hostile();
    expect(await attempt(confined, what)).toBe("absent");
    using free = hostile({ confine: false });
    expect(await attempt(free, what)).toBe("found");
  });

  it.each(["space", "queue"])("can't take what is not resident memory (%s)", async (what) => {
    using confined = hostile({ memoryLimitBytes: 2 ** 26 });
    expect(await attempt(confined, what)).toBe("refused");
    using free = hostile({ confine: false });
    expect(await attempt(free, what)).toBe("done");
  });

  it("does without confinement where it is told to", async () => {
    using compiler = hostile({ confine: false });
    expect(await attempt(compiler, "read")).toBe("done");
    expect(await attempt(compiler, "socket")).toBe("done");
  });

  it("starts again without confinement where every compile needs more", async () => {
    using compiler = hostile({}, needy);
    expect(await attempt(compiler, "nothing")).toBe("done");
    const problem = expect.stringContaining("Bad system call");
    expect(compiler.capabilities().confinement).toEqual({ available: false, problem });
    expect(() => hostile({ confine: "required" }, needy)).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", what: "confinement", message: problem }),
    );
  });

  it("has none of this process's environment but what its libraries need", async () => {
    using compiler = hostile();
    expect(await attempt(compiler, "environment")).toBe("absent");
  });
});

describe.runIf(CAN_REPLACE)("a reply of a worker that was taken over", () => {
  it("takes no memory before its bytes have come", async () => {
    using compiler = hostile();
    await attempt(compiler, "nothing");
    const before = process.memoryUsage.rss();
    expect(await attempt(compiler, "claim")).toMatchObject({
      code: "CRASHED",
      message: expect.stringContaining("answered"),
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 << 20);
    expect(await attempt(compiler, "nothing")).toBe("done");
  });

  it("does not keep the worker's memory from being checked", async () => {
    using compiler = hostile({ memoryLimitBytes: 2 ** 26 });
    expect(await attempt(compiler, "trickle")).toMatchObject({ code: "OUT_OF_MEMORY" });
    expect(await attempt(compiler, "boast")).toMatchObject({ code: "CRASHED" });
    expect(compiler.stats.workerPeakBytes).toBeLessThan(2 ** 30);
  });

  it("is an error if its cubin is empty", async () => {
    for (const backend of ["isolated", "in-process"] as const) {
      using compiler = hostile({ backend });
      expect(await attempt(compiler, "empty")).toMatchObject({
        code: "INTERNAL",
        message: expect.stringContaining("an empty cubin"),
      });
    }
  });

  it("has a log that is cut where no compile writes more", async () => {
    for (const backend of ["isolated", "in-process"] as const) {
      using compiler = hostile({ backend });
      const error = (await attempt(compiler, `log ${200 << 20}`)) as { log: string };
      expect(error.log.length).toBeLessThan(2 << 20);
      expect(error.log).toMatch(/\n\(\d+ more bytes of this log were dropped\)\n$/);
    }
  });

  it("has a log that the event loop can read, however long the PTX is", async () => {
    using compiler = hostile();
    const error = (await attempt(compiler, `log ${40 << 20}${" ".repeat(2 << 20)}`)) as { log: string };
    expect(error.log.length).toBeLessThanOrEqual(16 << 20);
    expect(error.log).toContain("were dropped");
  });
});
