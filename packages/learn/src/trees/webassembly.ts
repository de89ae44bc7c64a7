// Grows and evaluates trees in WebAssembly.
import type { Arena } from "../model/arena.js";
import { instantiate } from "../model/backend.js";
import { MODULE } from "../wasm/trees.js";
import { nodesOf, type TreesKernels, type TreesPlaces, type TreesShape } from "./layout.js";

interface TreesExports extends TreesKernels {
  shape(
    columns: number,
    trees: number,
    depth: number,
    bins: number,
    nodes: number,
    isOblivious: boolean,
  ): void;
  placeColumns(...places: number[]): void;
  placeRows(...places: number[]): void;
  placeTrees(...places: number[]): void;
}

/** Kernels that use the memory of an arena. */
export function webAssemblyTrees(arena: Arena, places: TreesPlaces, shape: TreesShape): TreesKernels {
  const kernels = instantiate(MODULE, arena.memory!) as unknown as TreesExports;
  kernels.shape(
    ...([shape.columns, shape.trees, shape.depth, shape.bins, nodesOf(shape)] as const),
    shape.form === "oblivious",
  );
  const { keys, otherKeys, digits, binned, edges, edgeCounts } = places;
  kernels.placeColumns(keys, otherKeys, digits, binned, edges, edgeCounts);
  const { residuals, entries, order, otherOrder, segments, histograms, slots } = places;
  const { totals, gains, reciprocals } = places;
  kernels.placeRows(
    ...[residuals, entries, order, otherOrder, segments],
    ...[histograms, slots, totals, gains, reciprocals],
  );
  const { nodes, columns, thresholds, leaves, block, turned, masks, sums } = places;
  kernels.placeTrees(nodes, columns, thresholds, leaves, block, turned, masks, sums);
  return kernels;
}
