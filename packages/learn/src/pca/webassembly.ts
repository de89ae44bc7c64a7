// Sums and products of principal components in WebAssembly.
import { type Arena, placesOf } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { PCA } from "../model/modules.js";
import { denseFunctions } from "../model/products.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";

interface PcaExports extends PcaKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyPca(
  arena: Arena,
  places: PcaPlaces,
  { columns, components }: PcaShape,
): PcaKernels {
  const memory = arena.memory!;
  const kernels = instantiate(PCA, memory, denseFunctions(memory)) as PcaExports;
  kernels.place(columns, components, ...placesOf(places));
  return kernels;
}
