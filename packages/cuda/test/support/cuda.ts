// The CUDA compilers and linkers of this machine. Tests are skipped if one is missing, and for no other
// reason.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNvcc } from "../../src/cuda/nvcc.js";
import { findNvrtc } from "../../src/cuda/nvrtc.js";
import type { CudaBackendName } from "../../src/index.js";
import { findJitLink } from "../../src/link/linker.js";

export const NVRTC = findNvrtc().found !== undefined;
export const NVCC = findNvcc().found !== undefined;
export const JITLINK = findJitLink().found !== undefined;

export const CUDA_BACKENDS: readonly CudaBackendName[] = [
  ...(NVRTC ? (["nvrtc"] as const) : []),
  ...(NVCC ? (["nvcc"] as const) : []),
];

/** A kernel that compiles at once. */
export const KERNEL = `extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n`;

/** A kernel that keeps the optimizer busy for many seconds. */
export const SLOW_KERNEL = `template <int N> __device__ float f(float x) { return f<N - 1>(x) * f<N - 2>(x + N); }
template <> __device__ float f<0>(float x) { return x * x; }
template <> __device__ float f<1>(float x) { return x + 1; }
extern "C" __global__ void slow(float* x) { x[0] = f<26>(x[0]); }
`;

/** Whether there is a process with this id that has not ended. */
export function isAlive(pid: number): boolean {
  try {
    // A process that has ended but was not waited for is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** A replacement for a program of the toolkit that prints a version and otherwise does what `script` says. */
export function fakeTool(
  name: "nvcc" | "ptxas" | "nvdisasm",
  script: string,
): { readonly folder: string; readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `fake-${name}-`));
  const path = join(folder, name);
  const version = 'if [ "$1" = "--version" ]; then echo "release 13.0, V13.0.88"; exit 0; fi';
  writeFileSync(path, `#!/bin/sh\n${version}\n${script}\n`);
  chmodSync(path, 0o755);
  return { folder, path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
