// What a CUDA source and the inputs of a link reach: the processes of NVRTC and nvJitLink.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { CudaCompiler, Linker, Nvrtc } from "../../src/index.js";
import { fakeTool, JITLINK, KERNEL, NVCC, NVRTC } from "../support/cuda.js";
import { CAN_REPLACE, NativeFolder } from "../support/native-folder.js";
import { module } from "../support/ptx.js";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const arch = "sm_90";
const headers = join(folder, "headers");
mkdirSync(headers);
writeFileSync(join(headers, "number.h"), "#define NUMBER 3\n");
const secret = join(folder, "secret.h");
writeFileSync(secret, "#define NUMBER 5\n");

const including = (header: string): string =>
  `#include ${header}\n#include <cuda_fp16.h>\nextern "C" __global__ void k(int* x) { *x = NUMBER; }\n`;

describe.runIf(CAN_REPLACE && NVRTC)("NVRTC", { timeout: 60_000 }, () => {
  it.each(["auto", "required"] as const)(
    "reads only folders of headers if `confine` is `%s`",
    async (confine) => {
      await using nvrtc = new Nvrtc({ cache: false, confine });
      const { ptx } = await nvrtc.compile(including("<number.h>"), { arch, includes: [headers] });
      expect(ptx).toContain("st.global.u32");
      await expect(
        nvrtc.compile(including(`"${secret}"`), { arch, includes: [headers] }),
      ).rejects.toMatchObject({
        code: "MISSING_HEADER",
        message: expect.stringContaining("Permission denied"),
      });
    },
  );

  it("reads what its user can if it is not confined", async () => {
    await using nvrtc = new Nvrtc({ cache: false, confine: false });
    expect((await nvrtc.compile(including(`"${secret}"`), { arch })).ptx).toContain("st.global.u32");
  });
});

describe.runIf(CAN_REPLACE && NVCC)("nvcc", { timeout: 60_000 }, () => {
  it("writes only its results if confinement is required", async () => {
    await using nvcc = new CudaCompiler({ backend: "nvcc", cache: false, confine: "required" });
    const { ptx } = await nvcc.compile(including("<number.h>"), { arch, includes: [headers] });
    expect(ptx).toContain("st.global.u32");
    const target = join(folder, "written");
    const tool = fakeTool("nvcc", `touch '${target}' && echo yes >&2; exit 1`);
    try {
      vi.stubEnv("MM_PTX_NVCC", tool.path);
      await using confined = new CudaCompiler({ backend: "nvcc", cache: false, confine: "required" });
      await expect(confined.compile(KERNEL, { arch })).rejects.toMatchObject({
        log: expect.stringContaining("Permission denied"),
      });
      expect(existsSync(target)).toBe(false);
      await using free = new CudaCompiler({ backend: "nvcc", cache: false });
      await expect(free.compile(KERNEL, { arch })).rejects.toMatchObject({ log: "yes\n" });
      expect(existsSync(target)).toBe(true);
    } finally {
      tool.remove();
    }
  });
});

describe.runIf(CAN_REPLACE && JITLINK)("nvJitLink", { timeout: 60_000 }, () => {
  it("links in a process that reaches nothing else", async () => {
    await using linker = new Linker({ confine: "required" });
    expect((await linker.link([{ ptx: module() }], { arch })).cubin.length).toBeGreaterThan(0);
  });
});

describe.runIf(CAN_REPLACE && NVRTC && JITLINK)(
  "where a process can't be confined",
  { timeout: 60_000 },
  () => {
    const UNABLE = `#include <errno.h>
#include <sys/prctl.h>
__attribute__((visibility("default"))) long syscall(long number, ...) { errno = EPERM; return -1; }
`;

    it("tools work, unless confinement is required", async () => {
      const native = new NativeFolder();
      try {
        vi.stubEnv("MM_PTX_NATIVE_DIR", native.path);
        await using nvrtc = new Nvrtc({ cache: false });
        await using linker = new Linker();
        await using strict = new Linker({ confine: "required" });
        vi.stubEnv("LD_PRELOAD", native.library("unable.so", UNABLE));
        expect((await nvrtc.compile(including(`"${secret}"`), { arch })).ptx).toContain("st.global.u32");
        expect((await linker.link([{ ptx: module() }], { arch })).cubin.length).toBeGreaterThan(0);
        const message = expect.stringContaining("Operation not permitted");
        const unavailable = { code: "UNAVAILABLE", what: "confinement", message };
        await expect(strict.link([{ ptx: module() }], { arch })).rejects.toMatchObject(unavailable);
        expect(() => new Nvrtc({ confine: "required" })).toThrow(expect.objectContaining(unavailable));
      } finally {
        native.remove();
      }
    });
  },
);
