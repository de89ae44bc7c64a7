// What benchmarks of CUDA compilers need besides the workspace: NVRTC, and the headers of CUTLASS.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CudaCompileError, Nvrtc } from "@mm-ptx/cuda";

const DEPS = fileURLToPath(new URL("../../.deps/", import.meta.url));

/** The folder of CUTLASS's headers as a list; empty if set-up has not fetched it. */
export function cutlassHeaders() {
  const versions = readdirSync(DEPS).filter((name) => name.startsWith("cutlass-"));
  return versions.slice(-1).map((name) => join(DEPS, name, "include"));
}

/** NVRTC without a cache, if this machine has it. */
export function findNvrtc() {
  try {
    return new Nvrtc({ workers: 1, cache: false });
  } catch (error) {
    if (error instanceof CudaCompileError && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}
