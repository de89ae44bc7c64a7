// A fetched ptxas: what finds it, when `auto` uses it, and that its code is that of nvPTXCompiler. The wheel is made of this
// machine's ptxas; apart from its hash it is like NVIDIA's.

import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { COMPILERS } from "../../src/fetch/compilers.js";
import { install } from "../../src/fetch/install.js";
import { fetchedFolder } from "../../src/fetch/places.js";
import { wheelFor } from "../../src/fetch/wheel.js";
import { capabilities, diffMachineCode, findPtxas, PtxCompiler } from "../../src/index.js";
import { BACKENDS, ISOLATED } from "../support/backends.js";
import { module } from "../support/ptx.js";

const machine = vi.hoisted(() => ({ hasLibrary: true }));
vi.mock("../../src/native/load.js", async (original) => {
  const load = await original<typeof import("../../src/native/load.js")>();
  const missing = { native: undefined, attempts: [] };
  return { ...load, loadNative: () => (machine.hasLibrary ? load.loadNative() : missing) };
});
vi.mock("../../src/toolkit/places.js", async (original) => ({
  ...(await original<object>()),
  toolkitPlaces: () => [],
}));

/** The program itself: one on PATH may be a script that starts it. */
const PTXAS = ["/usr/local/cuda/bin/ptxas", findPtxas()?.path].find((path) => isBinary(path));

function isBinary(path: string | undefined): boolean {
  try {
    return path !== undefined && readFileSync(path).subarray(0, 4).toString("latin1") === "\x7fELF";
  } catch {
    return false;
  }
}

/** Kernels that nvJitLink compiles differently, and one that it does not. */
const BODIES = [
  "",
  "\tsqrt.rn.f32 %f1, %f2;\n\tst.global.f32 [%rd1], %f1;\n",
  "\tdiv.rn.f32 %f1, %f2, %f3;\n\tst.global.f32 [%rd1], %f1;\n",
];

describe.runIf(PTXAS !== undefined && ISOLATED)("a fetched ptxas", () => {
  const home = mkdtempSync(join(tmpdir(), "mm-ptx-fetched-"));
  let library = "";
  beforeAll(() => {
    const name = "nvidia/cu13/bin/ptxas";
    const bytes = zipSync({ [name]: [readFileSync(PTXAS!), { level: 0 }] });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    for (const variable of ["PATH", "MM_PTX_PTXAS", "MM_PTX_NVJITLINK"]) vi.stubEnv(variable, "");
    vi.stubEnv("MM_PTX_CACHE_DIR", home);
    ({ library } = install(
      { ...wheelFor(COMPILERS.ptxas, "linux-x64")!, sha256 },
      bytes,
      fetchedFolder("ptxas"),
    ));
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });

  test("is found, and compiles to the code of nvPTXCompiler", async () => {
    expect(findPtxas()?.path).toBe(library);
    const options = { arch: "sm_90", workers: 1, cache: false } as const;
    using ptxas = new PtxCompiler({ ...options, backend: "ptxas" });
    using isolated = new PtxCompiler({ ...options, backend: "isolated" });
    expect(ptxas.version).toBe(isolated.version);
    for (const body of BODIES) {
      const [own, other] = await Promise.all(
        [ptxas, isolated].map(async (compiler) => (await compiler.compile(module("k", body))).cubin),
      );
      expect(diffMachineCode(own!, other!)).toEqual([]);
    }
  });

  test("is what `auto` uses where nvPTXCompiler is missing, unless an option needs workers", async () => {
    machine.hasLibrary = false;
    const options = { arch: "sm_90", workers: 1, cache: false } as const;
    using compiler = new PtxCompiler(options);
    expect(compiler.backend).toBe("ptxas");
    const { compilerVersion, ptxVersions } = capabilities();
    expect(compilerVersion).toBe(compiler.version);
    expect(ptxVersions.at(-1)).toBe("9.0");
    if (!BACKENDS.includes("nvjitlink")) return;
    using limited = new PtxCompiler({ ...options, memoryLimitBytes: 2 ** 30 });
    expect(limited.backend).toBe("nvjitlink");
  });

  test("is not used if others can replace it", () => {
    chmodSync(fetchedFolder("ptxas"), 0o777);
    expect(findPtxas()).toBeUndefined();
    chmodSync(fetchedFolder("ptxas"), 0o755);
    expect(findPtxas()?.path).toBe(library);
  });
});
