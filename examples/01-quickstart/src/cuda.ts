// What compiles CUDA on this machine, for who has edited kernel.cu. None is needed otherwise.

import { type CudaBackendName, CudaCompileError, CudaCompiler } from "@mm-ptx/cuda";

/** nvcc made the committed PTX, so it comes first. */
const BACKENDS: readonly CudaBackendName[] = ["nvcc", "nvrtc"];

/** nvcc, else NVRTC; `undefined` when there is neither. */
export function findCudaCompiler(): CudaCompiler | undefined {
  for (const backend of BACKENDS) {
    try {
      return new CudaCompiler({ backend, workers: 1 });
    } catch (error) {
      if (!(error instanceof CudaCompileError) || error.code !== "BACKEND_MISSING") throw error;
    }
  }
  return undefined;
}
