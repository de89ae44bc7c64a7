// Evaluates trees for 16 rows at a time: which rows are above each split, as a vector of bytes, then for each tree the index of the leaf of
// every row, whose value is looked up in a vector.

import { columns, depth, isOblivious, leaves, masks, nodes, trees, turned } from "./trees-places";

const LEAVES: usize = 16;
const LANES: usize = 16;

/** Writes 16 rows column by column. */
export function turn(rows: usize): void {
  const bytes = columns << 2;
  let column: usize = 0;
  for (; column + 4 <= columns; column += 4) {
    let from = rows + (column << 2);
    let to = turned + (column << 6);
    for (let four = 0; four < 4; four++) {
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
      to += 16;
    }
  }
  for (; column < columns; column++) {
    let from = rows + (column << 2);
    const to = turned + (column << 6);
    for (let row: usize = 0; row < LANES; row++) {
      store<f32>(to + (row << 2), load<f32>(from));
      from += bytes;
    }
  }
}

/** For each split, which of the 16 rows are above its threshold. Splits are in the order of their columns. */
export function compare(splitColumns: usize, thresholds: usize, splits: usize): void {
  let mask = masks;
  let split: usize = 0;
  while (split < splits) {
    const column = load<u32>(splitColumns + (split << 2));
    const values = turned + (<usize>column << 6);
    const a = v128.load(values);
    const b = v128.load(values, 16);
    const c = v128.load(values, 32);
    const d = v128.load(values, 48);
    do {
      const threshold = v128.load32_splat(thresholds + (split << 2));
      const low = i16x8.narrow_i32x4_s(f32x4.gt(a, threshold), f32x4.gt(b, threshold));
      const high = i16x8.narrow_i32x4_s(f32x4.gt(c, threshold), f32x4.gt(d, threshold));
      v128.store(mask, i8x16.narrow_i16x8_s(low, high));
      mask += 16;
      split++;
    } while (split < splits && load<u32>(splitColumns + (split << 2)) == column);
  }
}

// @ts-ignore: decorator
@inline
function maskOf(node: usize): v128 {
  return v128.load(masks + (<usize>load<u32>(node) << 4));
}

// @ts-ignore: decorator
@inline
function bit(mask: v128, level: u8): v128 {
  return v128.and(mask, i8x16.splat(<i8>(1 << level)));
}

/** The leaves of 16 rows in a tree whose levels have one split each. */
// @ts-ignore: decorator
@inline
function obliviousLeaves(node: usize): v128 {
  let leaf = bit(maskOf(node), 0);
  if (depth > 1) leaf = v128.or(leaf, bit(maskOf(node + 4), 1));
  if (depth > 2) leaf = v128.or(leaf, bit(maskOf(node + 8), 2));
  if (depth > 3) leaf = v128.or(leaf, bit(maskOf(node + 12), 3));
  return leaf;
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
function generalLeaves(node: usize): v128 {
  const above0 = maskOf(node);
  let leaf = bit(above0, 0);
  if (depth == 1) return leaf;
  const above1 = choose(maskOf(node + 4), maskOf(node + 8), above0);
  leaf = v128.or(leaf, bit(above1, 1));
  if (depth == 2) return leaf;
  const above2 = choose(
    choose(maskOf(node + 12), maskOf(node + 16), above0),
    choose(maskOf(node + 20), maskOf(node + 24), above0),
    above1,
  );
  leaf = v128.or(leaf, bit(above2, 2));
  if (depth == 3) return leaf;
  const low = choose(
    choose(maskOf(node + 28), maskOf(node + 32), above0),
    choose(maskOf(node + 36), maskOf(node + 40), above0),
    above1,
  );
  const high = choose(
    choose(maskOf(node + 44), maskOf(node + 48), above0),
    choose(maskOf(node + 52), maskOf(node + 56), above0),
    above1,
  );
  return v128.or(leaf, bit(choose(low, high, above2), 3));
}

/** Writes the sums of the leaves of 16 rows. */
export function sumLeaves(sums: usize, nodeBytes: usize): void {
  let sum0 = i32x4.splat(0);
  let sum1 = sum0;
  let sum2 = sum0;
  let sum3 = sum0;
  let node = nodes;
  let table = leaves;
  for (const end = leaves + ((trees * LEAVES) << 1); table < end; table += LEAVES << 1) {
    const leaf = isOblivious ? obliviousLeaves(node) : generalLeaves(node);
    const a = v128.load(table);
    const b = v128.load(table, 16);
    const low = i8x16.swizzle(v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), leaf);
    const high = i8x16.swizzle(v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), leaf);
    const first8 = v128.shuffle<u8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const last8 = v128.shuffle<u8>(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    sum0 = i32x4.add(sum0, i32x4.extend_low_i16x8_s(first8));
    sum1 = i32x4.add(sum1, i32x4.extend_high_i16x8_s(first8));
    sum2 = i32x4.add(sum2, i32x4.extend_low_i16x8_s(last8));
    sum3 = i32x4.add(sum3, i32x4.extend_high_i16x8_s(last8));
    node += nodeBytes;
  }
  v128.store(sums, sum0);
  v128.store(sums, sum1, 16);
  v128.store(sums, sum2, 32);
  v128.store(sums, sum3, 48);
}
