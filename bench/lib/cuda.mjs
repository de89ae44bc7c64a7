// What benchmarks of CUDA compilers need besides the workspace: NVRTC, and the headers of CUTLASS.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CudaCompileError, Nvrtc } from "@mm-ptx/cuda";

const DEPS = fileURLToPath(new URL("../../.deps/", import.meta.url));

/** The folder of CUTLASS's headers as a list; empty if set-up has not fetched it. */
function cutlassHeaders() {
  const versions = readdirSync(DEPS).filter((name) => name.startsWith("cutlass-"));
  return versions.slice(-1).map((name) => join(DEPS, name, "include"));
}

/** NVRTC, if this machine has it; without a cache unless told otherwise. */
export function findNvrtc({ cache = false } = {}) {
  try {
    return new Nvrtc({ workers: 1, cache });
  } catch (error) {
    if (error instanceof CudaCompileError && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}

/**
 * The source of a GEMM on CuTe whose epilogue is a site, and the options that NVRTC needs for it; `undefined` without
 * CUTLASS.
 */
export function cuteGemm() {
  const includes = cutlassHeaders();
  if (includes.length === 0) return undefined;
  const source = readFileSync(new URL("cute-gemm.cu", import.meta.url), "utf8");
  return { source, options: { arch: "sm_80", includes, deviceByDefault: true } };
}

/** The PTX of that GEMM, compiled once on a machine; `undefined` without NVRTC or CUTLASS. */
export async function cuteGemmPtx() {
  const gemm = cuteGemm();
  const compiler = gemm === undefined ? undefined : findNvrtc({ cache: true });
  if (gemm === undefined || compiler === undefined) return undefined;
  try {
    return (await compiler.compile(gemm.source, gemm.options)).ptx;
  } finally {
    await compiler.disposeAsync();
  }
}
