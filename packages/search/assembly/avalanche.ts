// Counts how often flipping a bit of the input of a hash function flips each bit of its output. Inputs come in blocks: a block has all values
// of some consecutive bits, the flipped ones, for four values of the two bits above, one for each lane. So a block needs each hash once for
// all of its flips, and counts with carry-save adders: the bits of a few words count one bit position of many.
// The module has a memory of its own, which its caller lays out.

/** The bits flipped in a block: its table has 2^11 vectors, 32 KiB, about what the nearest cache holds. */
const FLIPS: i32 = 11;
const VECTORS: usize = 1 << FLIPS;
const LANE_BITS: i32 = 2;
/** The vectors of which one step of the adders makes one that counts sixteen of each. */
const GROUP: usize = 16;
/** The steps for each flip of a block, and the steps for their results. */
const GROUPS: usize = VECTORS / 2 / GROUP;
const HIGH_GROUPS: usize = GROUPS / GROUP;
/** The counters in bytes hold this many blocks: each adds 4 at most. */
const BLOCKS: u32 = 63;

const table: usize = (__heap_base + 15) & ~15;
const sixteens: usize = table + (VECTORS << 4);
const highs: usize = sixteens + (GROUPS << 4);
/** For each flip: eight planes of bits that count 1, 2, 4 to 128, and eight vectors of bytes that count 256, one for each bit of a byte. */
const PLANES: usize = 16 << 4;
const planes: usize = highs + (HIGH_GROUPS << 4);

/** The first free address. */
export const firstFree: usize = planes + <usize>FLIPS * PLANES;

/** Carry and sum of three bits of equal weight. */
// @ts-ignore: decorator
@inline
function carryOf(a: v128, b: v128, c: v128): v128 {
  return v128.bitselect(c, a, v128.xor(a, b));
}

// @ts-ignore: decorator
@inline
function sumOf(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c);
}

/** A hash function: the shifts, one more than multipliers, then the multipliers. */
// @ts-ignore: decorator
@inline
function hash(function_: usize, multipliers: usize, input: v128): v128 {
  let x = input;
  for (let round: usize = 0; round < multipliers; round++) {
    x = v128.xor(x, i32x4.shr_u(x, load<i32>(function_ + (round << 2))));
    x = i32x4.mul(x, i32x4.splat(load<i32>(function_ + ((multipliers + 1 + round) << 2))));
  }
  return v128.xor(x, i32x4.shr_u(x, load<i32>(function_ + (multipliers << 2))));
}

/** The hashes of a block: bits `first` and up are the ones to flip, `rest` has the bits above those of the lanes, and around. */
function fill(function_: usize, multipliers: usize, first: i32, rest: u32): void {
  const fixed = rotl<u32>(rest << (FLIPS + LANE_BITS), first);
  const lanes = i32x4(
    fixed,
    fixed | rotl<u32>(1 << FLIPS, first),
    fixed | rotl<u32>(2 << FLIPS, first),
    fixed | rotl<u32>(3 << FLIPS, first),
  );
  if (multipliers == 2) {
    const a = load<i32>(function_);
    const b = load<i32>(function_, 4);
    const c = load<i32>(function_, 8);
    const m = i32x4.splat(load<i32>(function_, 12));
    const n = i32x4.splat(load<i32>(function_, 16));
    for (let index: u32 = 0; index < <u32>VECTORS; index++) {
      let x = v128.or(lanes, i32x4.splat(rotl<u32>(index, first)));
      x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, a)), m);
      x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, b)), n);
      v128.store(table + (<usize>index << 4), v128.xor(x, i32x4.shr_u(x, c)));
    }
    return;
  }
  for (let index: u32 = 0; index < <u32>VECTORS; index++) {
    const input = v128.or(lanes, i32x4.splat(rotl<u32>(index, first)));
    v128.store(table + (<usize>index << 4), hash(function_, multipliers, input));
  }
}

/** The difference of pair `pair` of a group whose first vectors are at `low` and `high`; with -1 for `flip`, a vector of 16. */
// @ts-ignore: decorator
@inline
function difference(low: usize, high: usize, flip: i32, pair: usize): v128 {
  if (flip < 0) return v128.load(low + (pair << 4));
  // Up to 8 vectors, pairs alternate with their partners; from 16 on, the pairs of a group are consecutive.
  const index: usize = flip < 4 ? ((pair >> flip) << (flip + 1)) | (pair & ((1 << flip) - 1)) : pair;
  return v128.xor(v128.load(low + (index << 4)), v128.load(high + (index << 4)));
}

/**
 * Adds the bits of vectors, or of pairs of them, to four planes that count 1, 2, 4 and 8, and writes what counts 16 (Harley and Seal's carry-save
 * adders: Warren, "Hacker's Delight", section 5-1).
 * @param flip the number of the flipped bit, 4 for all from 4 on, or -1 for vectors
 */
// @ts-ignore: decorator
@inline
function addGroups(flip: i32, distance: usize, from: usize, groups: usize, state: usize, to: usize): void {
  let ones = v128.load(state);
  let twos = v128.load(state, 16);
  let fours = v128.load(state, 32);
  let eights = v128.load(state, 48);
  let low = from;
  for (let group: usize = 0; group < groups; group++) {
    const high = low + distance;
    let a: v128;
    let b: v128;
    a = difference(low, high, flip, 0);
    b = difference(low, high, flip, 1);
    const twosA = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    a = difference(low, high, flip, 2);
    b = difference(low, high, flip, 3);
    const twosB = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    const foursA = carryOf(twosA, twosB, twos);
    twos = sumOf(twosA, twosB, twos);
    a = difference(low, high, flip, 4);
    b = difference(low, high, flip, 5);
    const twosC = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    a = difference(low, high, flip, 6);
    b = difference(low, high, flip, 7);
    const twosD = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    const foursB = carryOf(twosC, twosD, twos);
    twos = sumOf(twosC, twosD, twos);
    const eightsA = carryOf(foursA, foursB, fours);
    fours = sumOf(foursA, foursB, fours);
    a = difference(low, high, flip, 8);
    b = difference(low, high, flip, 9);
    const twosE = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    a = difference(low, high, flip, 10);
    b = difference(low, high, flip, 11);
    const twosF = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    const foursC = carryOf(twosE, twosF, twos);
    twos = sumOf(twosE, twosF, twos);
    a = difference(low, high, flip, 12);
    b = difference(low, high, flip, 13);
    const twosG = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    a = difference(low, high, flip, 14);
    b = difference(low, high, flip, 15);
    const twosH = carryOf(a, b, ones);
    ones = sumOf(a, b, ones);
    const foursD = carryOf(twosG, twosH, twos);
    twos = sumOf(twosG, twosH, twos);
    const eightsB = carryOf(foursC, foursD, fours);
    fours = sumOf(foursC, foursD, fours);
    v128.store(to + (group << 4), carryOf(eightsA, eightsB, eights));
    eights = sumOf(eightsA, eightsB, eights);
    low += GROUP << 4;
    // Skips the partners of the pairs: those of the group, or all that follow.
    if (flip >= 0 && flip < 4) low += GROUP << 4;
    else if (flip >= 4 && (low - from) & distance) low += distance;
  }
  v128.store(state, ones);
  v128.store(state, twos, 16);
  v128.store(state, fours, 32);
  v128.store(state, eights, 48);
}

/** Counts the pairs of the table that differ in bit `flip` of their index. */
function countPairs(flip: i32): void {
  const state = planes + <usize>flip * PLANES;
  const distance: usize = 16 << flip;
  if (flip == 0) addGroups(0, 16, table, GROUPS, state, sixteens);
  else if (flip == 1) addGroups(1, 32, table, GROUPS, state, sixteens);
  else if (flip == 2) addGroups(2, 64, table, GROUPS, state, sixteens);
  else if (flip == 3) addGroups(3, 128, table, GROUPS, state, sixteens);
  else addGroups(4, distance, table, GROUPS, state, sixteens);
  addGroups(-1, 0, sixteens, HIGH_GROUPS, state + 64, highs);
  const bytes = state + 128;
  for (let group: usize = 0; group < HIGH_GROUPS; group++) {
    const high = v128.load(highs + (group << 4));
    for (let bit: usize = 0; bit < 8; bit++) {
      const at = bytes + (bit << 4);
      const counted = v128.and(i16x8.shr_u(high, <i32>bit), i8x16.splat(1));
      v128.store(at, i8x16.add(v128.load(at), counted));
    }
  }
}

/** Adds the counters of `count` flips to `counts`, 32 u32 for each, and clears them. */
function collect(counts: usize, count: i32): void {
  for (let flip = 0; flip < count; flip++) {
    const state = planes + <usize>flip * PLANES;
    const row = counts + (<usize>flip << 7);
    for (let bit: usize = 0; bit < 32; bit++) {
      let sum: u32 = 0;
      for (let lane: usize = 0; lane < 16; lane += 4) {
        for (let plane: usize = 0; plane < 8; plane++) {
          sum += ((load<u32>(state + (plane << 4) + lane) >> <u32>bit) & 1) << <u32>plane;
        }
        sum += <u32>load<u8>(state + 128 + ((bit & 7) << 4) + lane + (bit >> 3)) << 8;
      }
      store<u32>(row + (bit << 2), load<u32>(row + (bit << 2)) + sum);
    }
  }
  memory.fill(planes, 0, <usize>count * PLANES);
}

/** A permutation of the integers below 2^bits, so that the first blocks are a sample of all. */
function permuted(index: u32, bits: i32): u32 {
  const mask: u32 = (1 << bits) - 1;
  let x = index;
  x = (x * 0x9e3779b1) & mask;
  x ^= x >> 9;
  x = (x * 0x85ebca77) & mask;
  x ^= x >> 7;
  x = (x * 0xc2b2ae3d) & mask;
  return x ^ (x >> 10);
}

/**
 * Counts in blocks `from` up to `to` of the 2^19 that all inputs consist of. A block has 8,192 inputs, and so 4,096 pairs for each flip.
 * @param counts `counts[flip * 32 + bit]`, u32, for the flips of input bits `first` up to `first + flips`, which is 11 at most
 */
export function count(
  function_: usize,
  multipliers: usize,
  first: i32,
  flips: i32,
  from: u32,
  to: u32,
  counts: usize,
): void {
  let held: u32 = 0;
  for (let block = from; block < to; block++) {
    fill(function_, multipliers, first, permuted(block, 32 - FLIPS - LANE_BITS));
    for (let flip = 0; flip < flips; flip++) countPairs(flip);
    if (++held == BLOCKS) {
      collect(counts, flips);
      held = 0;
    }
  }
  if (held > 0) collect(counts, flips);
}
