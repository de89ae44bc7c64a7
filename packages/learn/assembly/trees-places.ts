// The sizes of trees and where their parts are; src/trees/layout.ts describes these.

export let columns: usize = 0;
export let trees: usize = 0;
export let depth: usize = 0;
export let bins: usize = 0;
/** The nodes of a tree: as many as it has levels if these share their splits. */
export let nodesPerTree: usize = 0;
export let isOblivious: bool = false;
/** Whether each tree learns its splits from half of the rows. */
export let isHalf: bool = false;
/** The bytes of a leaf's histogram. */
export let size: usize = 0;

export let keys: usize = 0;
export let otherKeys: usize = 0;
export let digits: usize = 0;
export let binned: usize = 0;
export let edges: usize = 0;
export let edgeCounts: usize = 0;
export let residuals: usize = 0;
export let entries: usize = 0;
export let order: usize = 0;
export let otherOrder: usize = 0;
export let segments: usize = 0;
export let divisions: usize = 0;
export let histograms: usize = 0;
export let slots: usize = 0;
export let totals: usize = 0;
export let gains: usize = 0;
export let reciprocals: usize = 0;
export let nodes: usize = 0;
export let splitColumns: usize = 0;
export let thresholds: usize = 0;
export let leaves: usize = 0;
export let block: usize = 0;
export let turned: usize = 0;
export let masks: usize = 0;
export let sums: usize = 0;

/** The parts are those of `TreesPlaces`, in its order. */
export function place(
  columns_: usize,
  trees_: usize,
  depth_: usize,
  bins_: usize,
  nodesPerTree_: usize,
  isOblivious_: bool,
  isHalf_: bool,
  keys_: usize,
  otherKeys_: usize,
  digits_: usize,
  binned_: usize,
  edges_: usize,
  edgeCounts_: usize,
  residuals_: usize,
  entries_: usize,
  order_: usize,
  otherOrder_: usize,
  segments_: usize,
  divisions_: usize,
  histograms_: usize,
  slots_: usize,
  totals_: usize,
  gains_: usize,
  reciprocals_: usize,
  nodes_: usize,
  splitColumns_: usize,
  thresholds_: usize,
  leaves_: usize,
  splitOfBin_: usize,
  block_: usize,
  turned_: usize,
  masks_: usize,
  sums_: usize,
): void {
  columns = columns_;
  trees = trees_;
  depth = depth_;
  bins = bins_;
  nodesPerTree = nodesPerTree_;
  isOblivious = isOblivious_;
  isHalf = isHalf_;
  size = (columns * bins) << 3;
  keys = keys_;
  otherKeys = otherKeys_;
  digits = digits_;
  binned = binned_;
  edges = edges_;
  edgeCounts = edgeCounts_;
  residuals = residuals_;
  entries = entries_;
  order = order_;
  otherOrder = otherOrder_;
  segments = segments_;
  divisions = divisions_;
  histograms = histograms_;
  slots = slots_;
  totals = totals_;
  gains = gains_;
  reciprocals = reciprocals_;
  nodes = nodes_;
  splitColumns = splitColumns_;
  thresholds = thresholds_;
  leaves = leaves_;
  block = block_;
  turned = turned_;
  masks = masks_;
  sums = sums_;
}
