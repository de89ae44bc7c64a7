// Sorts the values of a column by their bits and divides them into bins. src/trees/sorting.ts is the same in TypeScript.

const DIGIT_BITS: u32 = 11;
const DIGITS: u32 = 2048;
const SIGN: u32 = 0x80000000;

/** Sorts keys in place: three passes by digits of 11 bits. */
export function sortKeys(keys: usize, otherKeys: usize, digits: usize, count: usize): void {
  let from = keys;
  let to = otherKeys;
  for (let index: usize = 0; index < count; index++) {
    const bits = load<u32>(from + (index << 2));
    store<u32>(from + (index << 2), bits & SIGN ? ~bits : bits | SIGN);
  }
  for (let shift: u32 = 0; shift < 32; shift += DIGIT_BITS) {
    memory.fill(digits, 0, DIGITS << 2);
    for (let index: usize = 0; index < count; index++) {
      const at = digits + (((load<u32>(from + (index << 2)) >>> shift) & (DIGITS - 1)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    let start: u32 = 0;
    for (let digit: usize = 0; digit < DIGITS; digit++) {
      const size = load<u32>(digits + (digit << 2));
      store<u32>(digits + (digit << 2), start);
      start += size;
    }
    for (let index: usize = 0; index < count; index++) {
      const key = load<u32>(from + (index << 2));
      const at = digits + (((key >>> shift) & (DIGITS - 1)) << 2);
      const place = load<u32>(at);
      store<u32>(to + (<usize>place << 2), key);
      store<u32>(at, place + 1);
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  for (let index: usize = 0; index < count; index++) {
    const key = load<u32>(from + (index << 2));
    store<u32>(to + (index << 2), key & SIGN ? key & ~SIGN : ~key);
  }
}

/** Edges between the sorted values; returns their number. */
export function edgesOf(keys: usize, edges: usize, bins: u32, count: u32): u32 {
  let distinct: u32 = 1;
  for (let index: usize = 1; index < count; index++) {
    if (load<f32>(keys + (index << 2)) > load<f32>(keys + ((index - 1) << 2))) distinct++;
  }
  let found: u32 = 0;
  let last: u32 = 0;
  const steps: u32 = distinct <= bins ? count : bins;
  for (let step: u32 = 1; step < steps; step++) {
    let upper = <u32>((<u64>step * <u64>count) / <u64>steps);
    if (upper <= last) continue;
    const value = load<f32>(keys + (<usize>(upper - 1) << 2));
    while (upper < count && load<f32>(keys + (<usize>upper << 2)) == value) upper++;
    if (upper == count) break;
    last = upper;
    const next = load<f32>(keys + (<usize>upper << 2));
    const middle = <f32>(<f64>value * 0.5 + <f64>next * 0.5);
    store<f32>(edges + (<usize>found << 2), middle < next ? middle : value);
    found++;
  }
  return found;
}

/** The bin of each value: the number of edges below it. Bins are `stride` bytes apart. */
export function binValues(values: usize, edges: usize, edgeCount: u32, binned: usize, stride: usize, count: u32): void {
  let at = binned;
  for (let row: usize = 0; row < count; row++) {
    const value = load<f32>(values + (row << 2));
    let low: u32 = 0;
    let high: u32 = edgeCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      const above = value > load<f32>(edges + (<usize>middle << 2));
      low = above ? middle + 1 : low;
      high = above ? high : middle;
    }
    store<u8>(at, low);
    at += stride;
  }
}
