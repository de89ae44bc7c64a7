// Grows and evaluates trees in WebAssembly.
import { type Arena, placesOf } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { TREES } from "../model/modules.js";
import { nodesOf, type TreesKernels, type TreesPlaces, type TreesShape } from "./layout.js";

interface TreesExports extends TreesKernels {
  place(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyTrees(arena: Arena, places: TreesPlaces, shape: TreesShape): TreesKernels {
  const kernels = instantiate(TREES, arena.memory!) as TreesExports;
  const { columns, trees, depth, bins, form, sample } = shape;
  const isOblivious = Number(form === "oblivious");
  const isHalf = Number(sample === "half");
  kernels.place(columns, trees, depth, bins, nodesOf(shape), isOblivious, isHalf, ...placesOf(places));
  return kernels;
}
