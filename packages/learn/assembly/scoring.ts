// Evaluates trees for 16 rows at a time: which rows are above each split, as a vector of bytes, then for each tree the index of the leaf of
// every row, whose value is looked up in a vector.

import { columns, depth, isOblivious, leaves, masks, nodes, planes, trees, turned } from "./trees-places";

const LEAVES: usize = 16;
/** Sums of the bytes of as many leaves fit into an i16. */
const MOST_TREES: usize = 128;

/** Separates the lower and the upper bytes of the leaves of each tree. */
export function prepare(): void {
  for (let at: usize = 0; at < (trees * LEAVES) << 1; at += LEAVES << 1) {
    const a = v128.load(leaves + at);
    const b = v128.load(leaves + at, 16);
    const lower = i16x8.splat(0xff);
    v128.store(planes + at, i8x16.narrow_i16x8_u(v128.and(a, lower), v128.and(b, lower)));
    v128.store(planes + at, i8x16.narrow_i16x8_s(i16x8.shr_s(a, 8), i16x8.shr_s(b, 8)), 16);
  }
}

/** Writes 16 rows column by column, four columns at a time: there is room for up to three after the last. */
export function turn(rows: usize): void {
  const bytes = columns << 2;
  let to = turned;
  for (const end = rows + bytes; rows < end; rows += 16) {
    let from = rows;
    for (const next = to + 64; to < next; to += 16) {
      const a = v128.load(from);
      const b = v128.load(from + bytes);
      const c = v128.load(from + 2 * bytes);
      const d = v128.load(from + 3 * bytes);
      const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
      const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
      const ab2 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
      const cd2 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<f64>(ab, cd, 0, 2));
      v128.store(to, v128.shuffle<f64>(ab, cd, 1, 3), 64);
      v128.store(to, v128.shuffle<f64>(ab2, cd2, 0, 2), 128);
      v128.store(to, v128.shuffle<f64>(ab2, cd2, 1, 3), 192);
      from += 4 * bytes;
    }
    to += 192;
  }
}

/** For each split, which of the 16 rows are above its threshold. Splits are in the order of their columns. */
export function compare(splitColumns: usize, thresholds: usize, splits: usize): void {
  let mask = masks;
  // Columns are as far from thresholds for all splits.
  const difference = splitColumns - thresholds;
  let threshold = thresholds;
  const end = thresholds + (splits << 2);
  while (threshold < end) {
    const column = load<u32>(threshold + difference);
    const values = turned + (<usize>column << 6);
    const a = v128.load(values);
    const b = v128.load(values, 16);
    const c = v128.load(values, 32);
    const d = v128.load(values, 48);
    do {
      const limit = v128.load32_splat(threshold);
      const low = i16x8.narrow_i32x4_s(f32x4.gt(a, limit), f32x4.gt(b, limit));
      const high = i16x8.narrow_i32x4_s(f32x4.gt(c, limit), f32x4.gt(d, limit));
      v128.store(mask, i8x16.narrow_i16x8_s(low, high));
      mask += 16;
      threshold += 4;
    } while (threshold < end && load<u32>(threshold + difference) == column);
  }
}

// @ts-ignore: decorator
@inline
function maskOf(from: usize, node: usize): v128 {
  return v128.load(from + (<usize>load<u32>(node) << 4));
}

// @ts-ignore: decorator
@inline
function bit(mask: v128, level: u8): v128 {
  return v128.and(mask, i8x16.splat(<i8>(1 << level)));
}

/** The masks of the node that each row is in: the first for rows that are not above. */
// @ts-ignore: decorator
@inline
function choose(low: v128, high: v128, above: v128): v128 {
  return v128.bitselect(high, low, above);
}

/** The leaves of 16 rows in a tree whose nodes have a split each. */
// @ts-ignore: decorator
@inline
function generalLeaves(from: usize, node: usize): v128 {
  const above0 = maskOf(from, node);
  let leaf = bit(above0, 0);
  if (depth == 1) return leaf;
  const above1 = choose(maskOf(from, node + 4), maskOf(from, node + 8), above0);
  leaf = v128.or(leaf, bit(above1, 1));
  if (depth == 2) return leaf;
  const above2 = choose(
    choose(maskOf(from, node + 12), maskOf(from, node + 16), above0),
    choose(maskOf(from, node + 20), maskOf(from, node + 24), above0),
    above1,
  );
  leaf = v128.or(leaf, bit(above2, 2));
  if (depth == 3) return leaf;
  const low = choose(
    choose(maskOf(from, node + 28), maskOf(from, node + 32), above0),
    choose(maskOf(from, node + 36), maskOf(from, node + 40), above0),
    above1,
  );
  const high = choose(
    choose(maskOf(from, node + 44), maskOf(from, node + 48), above0),
    choose(maskOf(from, node + 52), maskOf(from, node + 56), above0),
    above1,
  );
  return v128.or(leaf, bit(choose(low, high, above2), 3));
}

/** Which bit of a leaf's index a level of oblivious trees is: none if they have fewer levels. */
// @ts-ignore: decorator
@inline
function bitOf(level: u8): v128 {
  return i8x16.splat(level < <u8>depth ? <i8>(1 << level) : 0);
}

/** Writes the sums of the leaves of 16 rows. */
export function sumLeaves(sums: usize, nodeBytes: usize): void {
  const from = masks;
  const hasLevels = isOblivious;
  const last = (depth - 1) << 2;
  const second = min<usize>(4, last);
  const third = min<usize>(8, last);
  const bit1 = bitOf(1);
  const bit2 = bitOf(2);
  const bit3 = bitOf(3);
  let sum0 = i32x4.splat(0);
  let sum1 = sum0;
  let sum2 = sum0;
  let sum3 = sum0;
  let node = nodes;
  let table = planes;
  const end = table + ((trees * LEAVES) << 1);
  while (table < end) {
    // Sums of the lower and the upper bytes of leaves, which are an i16 each.
    let low0 = i16x8.splat(0);
    let low1 = low0;
    let high0 = low0;
    let high1 = low0;
    for (const stop = min(end, table + ((MOST_TREES * LEAVES) << 1)); table < stop; table += LEAVES << 1) {
      let leaf: v128;
      if (hasLevels) {
        leaf = v128.or(
          v128.or(bit(maskOf(from, node), 0), v128.and(maskOf(from, node + second), bit1)),
          v128.or(v128.and(maskOf(from, node + third), bit2), v128.and(maskOf(from, node + last), bit3)),
        );
      } else leaf = generalLeaves(from, node);
      const low = i8x16.swizzle(v128.load(table), leaf);
      const high = i8x16.swizzle(v128.load(table, 16), leaf);
      low0 = i16x8.add(low0, i16x8.extend_low_i8x16_u(low));
      low1 = i16x8.add(low1, i16x8.extend_high_i8x16_u(low));
      high0 = i16x8.add(high0, i16x8.extend_low_i8x16_s(high));
      high1 = i16x8.add(high1, i16x8.extend_high_i8x16_s(high));
      node += nodeBytes;
    }
    sum0 = addBytes(sum0, i32x4.extend_low_i16x8_u(low0), i32x4.extend_low_i16x8_s(high0));
    sum1 = addBytes(sum1, i32x4.extend_high_i16x8_u(low0), i32x4.extend_high_i16x8_s(high0));
    sum2 = addBytes(sum2, i32x4.extend_low_i16x8_u(low1), i32x4.extend_low_i16x8_s(high1));
    sum3 = addBytes(sum3, i32x4.extend_high_i16x8_u(low1), i32x4.extend_high_i16x8_s(high1));
  }
  v128.store(sums, sum0);
  v128.store(sums, sum1, 16);
  v128.store(sums, sum2, 32);
  v128.store(sums, sum3, 48);
}

// @ts-ignore: decorator
@inline
function addBytes(sum: v128, low: v128, high: v128): v128 {
  return i32x4.add(sum, i32x4.add(low, i32x4.shl(high, 8)));
}
