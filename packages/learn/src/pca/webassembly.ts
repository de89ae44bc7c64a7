// Sums and products of principal components in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { denseFunctions } from "../model/products.js";
import { MODULE } from "../wasm/pca.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";

interface PcaExports extends PcaKernels {
  shape(columns: number, components: number, stride: number): void;
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyPca(
  arena: Arena,
  places: PcaPlaces,
  { columns, components }: PcaShape,
): PcaKernels {
  const memory = arena.memory!;
  const kernels = instantiate(MODULE, memory, denseFunctions(memory)) as unknown as PcaExports;
  kernels.shape(columns, components, places.stride);
  const { block, blockSums, blockProducts, shift, sums, products, means } = places;
  const { covariance, basis, images, small, vectors } = places;
  kernels.place(
    ...[block, blockSums, blockProducts, shift, sums, products, means],
    ...[covariance, basis, images, small, vectors],
  );
  return kernels;
}
