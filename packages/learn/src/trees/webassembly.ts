// Grows and evaluates trees in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { TREES } from "../model/modules.js";
import { nodesOf, type TreesKernels, type TreesPlaces, type TreesShape } from "./layout.js";

/** Kernels that use the memory of an arena. */
export function webAssemblyTrees({ memory }: Arena, places: TreesPlaces, shape: TreesShape): TreesKernels {
  const { columns, trees, depth, bins, form, sample } = shape;
  const kinds = [Number(form === "oblivious"), Number(sample === "half")];
  const sizes = [columns, trees, depth, bins, nodesOf(shape), ...kinds, columns * bins * 8];
  return instantiate(TREES, memory!, {}, sizes, places) as TreesKernels;
}
