// Sums and products of principal components in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MODULE } from "../wasm/pca.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";

interface PcaExports extends PcaKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyPca(
  arena: Arena,
  { stride, block, sums, products, covariance, basis, images }: PcaPlaces,
  { columns, components }: PcaShape,
): PcaKernels {
  const kernels = instantiate(MODULE, arena.memory!) as unknown as PcaExports;
  kernels.place(columns, components, stride, block, sums, products, covariance, basis, images);
  return kernels;
}
