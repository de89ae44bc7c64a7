// Nearest neighbours in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { NEIGHBOURS } from "../model/modules.js";
import type { NeighboursKernels, NeighboursPlaces, NeighboursShape } from "./layout.js";

/** Kernels that use the memory of an arena. */
export const webAssemblyNeighbours = (
  { memory }: Arena,
  places: NeighboursPlaces,
  { columns, k }: NeighboursShape,
): NeighboursKernels => instantiate(NEIGHBOURS, memory!, {}, [columns, k], places) as NeighboursKernels;
