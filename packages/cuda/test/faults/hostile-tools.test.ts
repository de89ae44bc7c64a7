// What a CUDA source or the inputs of a link reach that have taken over their library: with a library that does it.

import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LinkError, Linker, type LinkerOptions, Nvrtc } from "../../src/index.js";
import { CAN_REPLACE, NativeFolder } from "../support/native-folder.js";

const folder = new NativeFolder();
const library = CAN_REPLACE
  ? folder.library("libhostile.so", readFileSync(new URL("hostile-tool.c", import.meta.url), "utf8"))
  : "";
afterAll(() => folder.remove());
beforeEach(() => {
  vi.stubEnv("MM_PTX_NVRTC", library);
  vi.stubEnv("MM_PTX_NVJITLINK", library);
  vi.stubEnv("MM_PTX_SECRET", "password");
});
afterEach(() => vi.unstubAllEnvs());

const text = (what: string): string => `// hostile: ${what}\n`;
const errorOf = async (work: Promise<unknown>): Promise<{ code: string; log: string; message: string }> => {
  const error = await work.then(
    () => expect.fail("it worked"),
    (thrown: unknown) => thrown,
  );
  return error as { code: string; log: string; message: string };
};
async function compiling(what: string, options: ConstructorParameters<typeof Nvrtc>[0] = {}) {
  await using nvrtc = new Nvrtc({ cache: false, memoryLimitBytes: 2 ** 26, ...options });
  return errorOf(nvrtc.compile(text(what), { arch: "sm_80" }));
}
async function linking(what: string, options: LinkerOptions = {}) {
  await using linker = new Linker({ memoryLimitBytes: 2 ** 26, ...options });
  return errorOf(linker.link([{ ptx: text(what) }], { arch: "sm_80" }));
}

describe.runIf(CAN_REPLACE)("NVRTC that was taken over", () => {
  it("finds no secrets in its environment", async () => {
    expect((await compiling("environment", { confine: false })).log).toBe("absent");
  });

  it.each(["kill", "start", "socket", "local", "elsewhere"])("reaches nothing else (%s)", async (what) => {
    expect((await compiling(what)).log).toBe("refused");
    expect((await compiling(what, { confine: false })).log).toBe("done");
  });

  it.each(["lists", "pieces", "short"])("can't make its answer another (%s)", async (what) => {
    expect(await compiling(what)).toMatchObject({ message: expect.stringContaining("in its answer") });
  });

  it("can't answer without end", async () => {
    expect(await compiling("flood")).toMatchObject({ code: "OUT_OF_MEMORY" });
  });
});

describe.runIf(CAN_REPLACE)("nvJitLink that was taken over", () => {
  it("finds no secrets in its environment", async () => {
    expect((await linking("environment", { confine: false })).log).toBe("absent");
  });

  it.each(["kill", "start", "socket", "local"])("reaches nothing else (%s)", async (what) => {
    const error = await linking(what);
    expect(error).toBeInstanceOf(LinkError);
    expect(error).toMatchObject({ code: "CRASHED", confined: "SIGSYS" });
  });
});
