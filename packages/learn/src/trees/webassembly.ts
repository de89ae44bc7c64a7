// Grows and evaluates oblivious trees in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MODULE } from "../wasm/trees.js";
import type { TreesKernels, TreesPlaces, TreesShape } from "./layout.js";

interface TreesExports extends TreesKernels {
  shape(columns: number, trees: number, depth: number, bins: number): void;
  placeColumns(...places: number[]): void;
  placeRows(...places: number[]): void;
  placeTrees(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyTrees(arena: Arena, places: TreesPlaces, shape: TreesShape): TreesKernels {
  const kernels = instantiate(MODULE, arena.memory!) as unknown as TreesExports;
  kernels.shape(shape.columns, shape.trees, shape.depth, shape.bins);
  const { keys, otherKeys, digits, binned, edges, edgeCounts } = places;
  kernels.placeColumns(keys, otherKeys, digits, binned, edges, edgeCounts);
  const { residuals, entries, order, otherOrder, segments, histograms, slots } = places;
  const { totals, gains, reciprocals } = places;
  kernels.placeRows(
    ...[residuals, entries, order, otherOrder, segments],
    ...[histograms, slots, totals, gains, reciprocals],
  );
  const { features, thresholds, leaves, block, sums } = places;
  kernels.placeTrees(features, thresholds, leaves, block, sums);
  return kernels;
}
