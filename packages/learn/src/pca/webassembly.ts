// Sums and products of principal components in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { PCA } from "../model/modules.js";
import { denseFunctions } from "../model/products.js";
import type { PcaKernels, PcaPlaces, PcaShape } from "./layout.js";

/** Kernels that use the memory of an arena. */
export const webAssemblyPca = (
  { memory }: Arena,
  places: PcaPlaces,
  { columns, components }: PcaShape,
): PcaKernels =>
  instantiate(PCA, memory!, denseFunctions(memory!), [columns, components], places) as PcaKernels;
