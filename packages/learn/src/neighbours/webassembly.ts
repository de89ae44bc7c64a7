// Nearest neighbours in WebAssembly.
import { type Arena, placesOf } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { NEIGHBOURS } from "../model/modules.js";
import type { NeighboursKernels, NeighboursPlaces, NeighboursShape } from "./layout.js";

interface NeighboursExports extends NeighboursKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyNeighbours(
  arena: Arena,
  places: NeighboursPlaces,
  { columns, k }: NeighboursShape,
): NeighboursKernels {
  const kernels = instantiate(NEIGHBOURS, arena.memory!) as NeighboursExports;
  kernels.place(columns, k, ...placesOf(places));
  return kernels;
}
