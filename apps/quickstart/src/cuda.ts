// What compiles CUDA on this machine, for people who have edited kernel.cu. Nobody else needs it.

import { type CudaBackendName, CudaCompileError, CudaCompiler } from "@mm-ptx/cuda";

/** nvcc made the committed PTX, so it comes first. */
const BACKENDS: readonly CudaBackendName[] = ["nvcc", "nvrtc"];

/** nvcc, otherwise NVRTC; `undefined` if neither is installed. */
export function findCudaCompiler(cache: boolean): CudaCompiler | undefined {
  for (const backend of BACKENDS) {
    try {
      return new CudaCompiler({ backend, workers: 1, cache });
    } catch (error) {
      if (!(error instanceof CudaCompileError) || error.code !== "UNAVAILABLE") throw error;
    }
  }
  return undefined;
}
