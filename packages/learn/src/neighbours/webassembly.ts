// Nearest neighbours in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MODULE } from "../wasm/neighbours.js";
import type { NeighboursKernels, NeighboursPlaces, NeighboursShape } from "./layout.js";

interface NeighboursExports extends NeighboursKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyNeighbours(
  arena: Arena,
  { rows, query, distances, nearest, ages }: NeighboursPlaces,
  { columns, k }: NeighboursShape,
): NeighboursKernels {
  const kernels = instantiate(MODULE, arena.memory!) as unknown as NeighboursExports;
  kernels.place(columns, k, rows, query, distances, nearest, ages);
  return kernels;
}
