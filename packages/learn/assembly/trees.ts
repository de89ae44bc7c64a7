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
  isHalf,
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
  divisions,
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

export { prepare } from "./scoring";

const LEAVES: usize = 16;
const MOST_RESIDUAL: i32 = 32767;
const COUNT_SHIFT: i64 = 33;
const HALF: i64 = 1 << 32;
/** The largest finite f32. */
const MOST_SCORE: f64 = 3.4028234663852886e38;
/** The words of 32 rows that a model has at most. */
const MOST_WORDS: u32 = 2048;

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
    begin(<u32>tree, count);
    let division = divisions;
    for (let level: usize = 0; level < depth; level++) {
      const half: usize = 1 << level;
      for (let leaf: usize = 0; leaf < half; leaf++) total(leaf);
      for (let leaf: usize = 0; leaf < half; leaf++) {
        if (!isOblivious || leaf === 0) {
          findSplit(leaf, isOblivious ? half : leaf + 1, node, division);
          node += 4;
          division += 8;
        }
        if (level + 1 === depth) continue;
        divide(leaf, leaf + half, division - 8);
        subtract(leaf, leaf + half);
      }
    }
    settle(tree, count, rate);
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

/** A random word for 32 rows and a pair of trees; `halvesOf` of src/trees/layout.ts is the same. */
function halvesOf(pair: u32, row: u32): u32 {
  let word: u32 = pair * MOST_WORDS + (row >>> 5) + 0x9e3779b9;
  word = (word ^ (word >>> 16)) * 0x7feb352d;
  word = (word ^ (word >>> 15)) * 0x846ca68b;
  return word ^ (word >>> 16);
}

/** Limits the residuals, puts the rows that a tree learns its splits from into one leaf, and sums up its histogram. */
function begin(tree: u32, count: u32): void {
  let learned = order;
  let word: u32 = 0;
  for (let row: u32 = 0; row < count; row++) {
    const residual = load<i32>(residuals + (row << 2));
    const limited = max(-MOST_RESIDUAL, min(MOST_RESIDUAL, residual));
    store<i64>(entries + (row << 3), (<i64>1 << COUNT_SHIFT) + <i64>limited);
    if (isHalf && (row & 31) === 0) word = halvesOf(tree >>> 1, row) ^ (0 - (tree & 1));
    store<u32>(learned, row);
    learned += (1 - (word & 1)) << 2;
    word >>>= 1;
  }
  const size = <u32>((learned - order) >> 2);
  store<u32>(startOf(0), 0);
  store<u32>(endOf(0), size);
  store<u32>(slots, 0);
  sum(0, 0, size);
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
function findSplit(first: usize, end: usize, node: usize, division: usize): void {
  let best: f64 = 0;
  for (let leaf = first; leaf < end; leaf++) best += gainOf(load<i64>(totals + (leaf << 3)));
  let splitColumn: usize = 0;
  let splitBin = bins - 1;
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
        splitBin = index;
      }
    }
  }
  store<u32>(node, splitColumn * bins + splitBin);
  store<u32>(division, splitColumn);
  store<u32>(division, splitBin, 4);
}

/** The squared sum of residuals over their count and lambda. */
// @ts-ignore: decorator
@inline
function gainOf(entry: i64): f64 {
  const count = (entry + HALF) >> COUNT_SHIFT;
  const residual = <f64>(entry - (count << COUNT_SHIFT));
  return residual * residual * load<f64>(reciprocals + (<usize>count << 3));
}

/** Whether a value of a row is in the second half of a node: 0 or 1. */
// @ts-ignore: decorator
@inline
function isAbove(values: usize, division: usize): u32 {
  return u32(<u32>load<u8>(values + <usize>load<u32>(division)) > load<u32>(division, 4));
}

/** Divides the rows of a leaf: those up to the edge stay. Both keep their order. */
function divide(leaf: usize, right: usize, division: usize): void {
  const start = <usize>load<u32>(startOf(leaf));
  const end = <usize>load<u32>(endOf(leaf));
  let low = order + (start << 2);
  let high = otherOrder;
  for (let index = start; index < end; index++) {
    const row = load<u32>(order + (index << 2));
    const above = <usize>isAbove(binned + <usize>row * columns, division);
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

/** The values of the leaves, from all rows, and what these no longer need to reach. */
function settle(tree: usize, count: usize, rate: f64): void {
  memory.fill(totals, 0, LEAVES << 3);
  let values = binned;
  for (let row: usize = 0; row < count; row++) {
    let leaf: u32 = 0;
    for (let level: usize = 0; level < depth; level++) {
      const node = isOblivious ? level : ((1 << level) - 1) + <usize>leaf;
      leaf |= isAbove(values, divisions + (node << 3)) << level;
    }
    store<u32>(otherOrder + (row << 2), leaf);
    const total = totals + (<usize>leaf << 3);
    store<i64>(total, load<i64>(total) + load<i64>(entries + (row << 3)));
    values += columns;
  }
  const treeLeaves = leaves + ((tree * LEAVES) << 1);
  for (let leaf: usize = 0; leaf < LEAVES; leaf++) {
    const entry = load<i64>(totals + (leaf << 3));
    const size = (entry + HALF) >> COUNT_SHIFT;
    const share = load<f64>(reciprocals + (<usize>size << 3));
    const value = <i32>Math.floor(rate * <f64>(entry - (size << COUNT_SHIFT)) * share + 0.5);
    store<i16>(treeLeaves + (leaf << 1), value);
  }
  for (let row: usize = 0; row < count; row++) {
    const at = residuals + (row << 2);
    const leaf = <usize>load<u32>(otherOrder + (row << 2));
    store<i32>(at, load<i32>(at) - <i32>load<i16>(treeLeaves + (leaf << 1)));
  }
}

/** Whether all values of the first rows of a block are finite. */
export function areFinite(rows: usize): bool {
  const end = block + ((rows * columns) << 2);
  let sums = f32x4.splat(0);
  // What is not finite makes a NaN of a sum. The last vector may have values of rows before, so a `false` has to be confirmed.
  for (let at = block; at < end; at += 16) {
    const values = v128.load(at);
    sums = f32x4.add(sums, f32x4.sub(values, values));
  }
  return !v128.any_true(f32x4.ne(sums, sums));
}

/** Scores the first rows of a block, 16 rows at a time; those after the last row are not used. */
export function predict(rows: usize, splits: usize, mean: f64, unit: f64): void {
  const end = sums + (rows << 2);
  for (let to = sums, from = block; to < end; to += 64) {
    turn(from);
    compare(splitColumns, thresholds, splits);
    sumLeaves(to, nodesPerTree << 2);
    from += columns << 6;
  }
  const means = f64x2.splat(mean);
  const units = f64x2.splat(unit);
  const most = f64x2.splat(MOST_SCORE);
  const least = f64x2.splat(-MOST_SCORE);
  for (let at = sums; at < end; at += 8) {
    const scores = f64x2.add(means, f64x2.mul(f64x2.convert_low_i32x4_s(v128.load64_zero(at)), units));
    v128.store64_lane(at, f32x4.demote_f64x2_zero(f64x2.pmax(f64x2.pmin(scores, most), least)), 0);
  }
}
