// Grows trees. The module has a memory of its own, which its caller lays out; src/trees/layout.ts describes the parts,
// and src/trees/javascript.ts is the same in TypeScript. A histogram's entry is an i64: a count in its upper bits, and a sum of residuals.
import { compare, sumLeaves, turn } from "./scoring";
import { binValues, edgesOf, sortKeys } from "./sorting";
import {
  columns,
  trees,
  depth,
  bins,
  nodesPerTree,
  isOblivious,
  size,
  keys,
  otherKeys,
  digits,
  binned,
  edges,
  edgeCounts,
  residuals,
  entries,
  order,
  otherOrder,
  segments,
  histograms,
  slots,
  totals,
  gains,
  reciprocals,
  nodes,
  splitColumns,
  thresholds,
  leaves,
  block,
  sums,
} from "./trees-places";

export { place } from "./trees-places";

const LEAVES: usize = 16;
const MOST_RESIDUAL: i32 = 32767;
const COUNT_SHIFT: i64 = 33;
const HALF: i64 = 1 << 32;

/** The split that was found last. */
let splitColumn: usize = 0;
let splitBin: u32 = 0;

export function sort(count: usize): void {
  sortKeys(keys, otherKeys, digits, count);
}

export function chooseEdges(column: usize, count: u32): void {
  store<u32>(edgeCounts + (column << 2), edgesOf(keys, edges + ((column * bins) << 2), <u32>bins, count));
}

export function bin(column: usize, count: u32): void {
  const edgeCount = load<u32>(edgeCounts + (column << 2));
  binValues(entries, edges + ((column * bins) << 2), edgeCount, binned + column, columns, count);
}

export function grow(count: u32, rate: f64): void {
  let node = nodes;
  for (let tree: usize = 0; tree < trees; tree++) {
    begin(count);
    for (let level: usize = 0; level < depth; level++) {
      const half: usize = 1 << level;
      for (let leaf: usize = 0; leaf < half; leaf++) total(leaf);
      if (isOblivious) {
        findSplit(0, half, node);
        node += 4;
      }
      for (let leaf: usize = 0; leaf < half; leaf++) {
        if (!isOblivious) {
          findSplit(leaf, leaf + 1, node);
          node += 4;
        }
        divide(leaf, leaf + half);
        if (level + 1 < depth) subtract(leaf, leaf + half);
      }
    }
    for (let leaf: usize = 0; leaf < <usize>1 << depth; leaf++) settle(tree, leaf, rate);
  }
}

// @ts-ignore: decorator
@inline
function startOf(leaf: usize): usize {
  return segments + (leaf << 2);
}

// @ts-ignore: decorator
@inline
function endOf(leaf: usize): usize {
  return segments + ((LEAVES + leaf) << 2);
}

/** Limits the residuals, puts all rows into one leaf, and sums up its histogram. */
function begin(count: u32): void {
  for (let row: usize = 0; row < count; row++) {
    const residual = load<i32>(residuals + (row << 2));
    const limited = max(-MOST_RESIDUAL, min(MOST_RESIDUAL, residual));
    store<i64>(entries + (row << 3), (<i64>1 << COUNT_SHIFT) + <i64>limited);
    store<u32>(order + (row << 2), row);
  }
  store<u32>(startOf(0), 0);
  store<u32>(endOf(0), count);
  store<u32>(slots, 0);
  sum(0, 0, count);
}

/** Adds an entry to a bin of a column. */
// @ts-ignore: decorator
@inline
function addTo(column: usize, bin: usize, entry: i64): void {
  const place = column + (bin << 3);
  store<i64>(place, load<i64>(place) + entry);
}

/** The histogram of the rows from `start` to `end` of the order, in a slot. */
function sum(slot: usize, start: usize, end: usize): void {
  const histogram = histograms + slot * size;
  memory.fill(histogram, 0, size);
  const step = bins << 3;
  for (let index = start; index < end; index++) {
    const row = <usize>load<u32>(order + (index << 2));
    const entry = load<i64>(entries + (row << 3));
    let values = binned + row * columns;
    const valuesEnd = values + columns;
    const valuesFast = values + (columns & ~3);
    let at = histogram;
    while (values < valuesFast) {
      const four = load<u32>(values);
      addTo(at, four & 0xff, entry);
      addTo(at + step, (four >> 8) & 0xff, entry);
      addTo(at + step * 2, (four >> 16) & 0xff, entry);
      addTo(at + step * 3, four >> 24, entry);
      at += step * 4;
      values += 4;
    }
    while (values < valuesEnd) {
      addTo(at, <usize>load<u8>(values), entry);
      at += step;
      values++;
    }
  }
}

/** The sum of all entries of a leaf, which any column has. */
function total(leaf: usize): void {
  const histogram = histograms + <usize>load<u32>(slots + (leaf << 2)) * size;
  const edgeCount = <usize>load<u32>(edgeCounts);
  let all: i64 = 0;
  for (let index: usize = 0; index <= edgeCount; index++) all += load<i64>(histogram + (index << 3));
  store<i64>(totals + (leaf << 3), all);
}

/** Finds the split of the leaves from `first` to `end` with the largest gain, which is the first of equal ones, for a node. */
function findSplit(first: usize, end: usize, node: usize): void {
  let best: f64 = 0;
  for (let leaf = first; leaf < end; leaf++) best += gainOf(load<i64>(totals + (leaf << 3)));
  splitColumn = 0;
  splitBin = <u32>bins - 1;
  for (let column: usize = 0; column < columns; column++) {
    const edgeCount = <usize>load<u32>(edgeCounts + (column << 2));
    memory.fill(gains, 0, edgeCount << 3);
    for (let leaf = first; leaf < end; leaf++) {
      const slot = <usize>load<u32>(slots + (leaf << 2));
      const histogram = histograms + slot * size + ((column * bins) << 3);
      const all = load<i64>(totals + (leaf << 3));
      let below: i64 = 0;
      for (let index: usize = 0; index < edgeCount; index++) {
        below += load<i64>(histogram + (index << 3));
        const gain = gainOf(below) + gainOf(all - below);
        store<f64>(gains + (index << 3), load<f64>(gains + (index << 3)) + gain);
      }
    }
    for (let index: usize = 0; index < edgeCount; index++) {
      const gain = load<f64>(gains + (index << 3));
      if (gain > best) {
        best = gain;
        splitColumn = column;
        splitBin = <u32>index;
      }
    }
  }
  store<u32>(node, <u32>(splitColumn * bins) + splitBin);
}

/** The squared sum of residuals over their count and lambda. */
// @ts-ignore: decorator
@inline
function gainOf(entry: i64): f64 {
  const count = (entry + HALF) >> COUNT_SHIFT;
  const residual = <f64>(entry - (count << COUNT_SHIFT));
  return residual * residual * load<f64>(reciprocals + (<usize>count << 3));
}

/** Divides the rows of a leaf: those up to the edge stay. Both keep their order. */
function divide(leaf: usize, right: usize): void {
  const start = <usize>load<u32>(startOf(leaf));
  const end = <usize>load<u32>(endOf(leaf));
  const column = binned + splitColumn;
  let low = order + (start << 2);
  let high = otherOrder;
  for (let index = start; index < end; index++) {
    const row = load<u32>(order + (index << 2));
    const above = <usize>(<u32>load<u8>(column + <usize>row * columns) > splitBin);
    store<u32>(low, row);
    store<u32>(high, row);
    low += (1 - above) << 2;
    high += above << 2;
  }
  memory.copy(low, otherOrder, high - otherOrder);
  const middle = (low - order) >> 2;
  store<u32>(endOf(leaf), middle);
  store<u32>(startOf(right), middle);
  store<u32>(endOf(right), end);
}

/** The histograms of the two halves of a leaf: that of the smaller is summed up, and the other is the rest. */
function subtract(leaf: usize, right: usize): void {
  const leafStart = load<u32>(startOf(leaf));
  const leafEnd = load<u32>(endOf(leaf));
  const rightStart = load<u32>(startOf(right));
  const rightEnd = load<u32>(endOf(right));
  const parent = <usize>load<u32>(slots + (leaf << 2));
  const isRight = rightEnd - rightStart <= leafEnd - leafStart;
  sum(right, isRight ? rightStart : leafStart, isRight ? rightEnd : leafEnd);
  const from = histograms + parent * size;
  const part = histograms + right * size;
  // Two entries at a time; their number may be odd.
  let index: usize = 0;
  for (; index + 16 <= size; index += 16) {
    v128.store(from + index, i64x2.sub(v128.load(from + index), v128.load(part + index)));
  }
  if (index < size) store<i64>(from + index, load<i64>(from + index) - load<i64>(part + index));
  store<u32>(slots + (leaf << 2), <u32>(isRight ? parent : right));
  store<u32>(slots + (right << 2), <u32>(isRight ? right : parent));
}

/** The value of a leaf, which its rows no longer need to reach. */
function settle(tree: usize, leaf: usize, rate: f64): void {
  const start = <usize>load<u32>(startOf(leaf));
  const end = <usize>load<u32>(endOf(leaf));
  let total: i64 = 0;
  for (let index = start; index < end; index++) {
    total += load<i64>(entries + (<usize>load<u32>(order + (index << 2)) << 3));
  }
  const count = end - start;
  total -= <i64>count << COUNT_SHIFT;
  const value = <i32>Math.floor(rate * <f64>total * load<f64>(reciprocals + (count << 3)) + 0.5);
  store<i16>(leaves + ((tree * LEAVES + leaf) << 1), value);
  for (let index = start; index < end; index++) {
    const at = residuals + (<usize>load<u32>(order + (index << 2)) << 2);
    store<i32>(at, load<i32>(at) - value);
  }
}

/** Sums up the leaves of the first rows of a block, 16 rows at a time; those after the last row are not used. */
export function predict(rows: usize, splits: usize): void {
  for (let row: usize = 0; row < rows; row += 16) {
    turn(block + ((row * columns) << 2));
    compare(splitColumns, thresholds, splits);
    sumLeaves(sums + (row << 2), nodesPerTree << 2);
  }
}
