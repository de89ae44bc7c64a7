// Sums and products of principal components in WebAssembly.
import { type Arena, placesOf } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { denseFunctions } from "../model/products.js";
import { MODULE } from "../wasm/pca.js";
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
  const kernels = instantiate(MODULE, memory, denseFunctions(memory)) as PcaExports;
  kernels.place(columns, components, ...placesOf(places));
  return kernels;
}
