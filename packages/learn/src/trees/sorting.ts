// Sorts the values of a column by their bits and divides them into bins, in JavaScript.
import type { Arena } from "../model/arena.js";
import { DIGITS, type TreesPlaces, type TreesShape } from "./layout.js";

const DIGIT_BITS = 11;
const SIGN = 0x80000000;

/**
 * Sorts `keys` in place: three passes by digits of 11 bits over the bits of the values, flipped so that they are in the order of the
 * values.
 */
export function sortKeys({ u32, i32 }: Arena, places: TreesPlaces, count: number): void {
  const digits = places.digits >> 2;
  let from = places.keys >> 2;
  let to = places.otherKeys >> 2;
  for (let index = 0; index < count; index++) {
    const bits = u32[from + index]!;
    u32[from + index] = bits & SIGN ? ~bits : bits | SIGN;
  }
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    i32.fill(0, digits, digits + DIGITS);
    for (let index = 0; index < count; index++) {
      const at = digits + ((u32[from + index]! >>> shift) & (DIGITS - 1));
      i32[at] = i32[at]! + 1;
    }
    let start = 0;
    for (let digit = digits; digit < digits + DIGITS; digit++) {
      const size = i32[digit]!;
      i32[digit] = start;
      start += size;
    }
    for (let index = 0; index < count; index++) {
      const key = u32[from + index]!;
      const at = digits + ((key >>> shift) & (DIGITS - 1));
      const place = i32[at]!;
      u32[to + place] = key;
      i32[at] = place + 1;
    }
    [from, to] = [to, from];
  }
  // After three passes the keys are in the other part.
  for (let index = 0; index < count; index++) {
    const key = u32[from + index]!;
    u32[to + index] = key & SIGN ? key & ~SIGN : ~key;
  }
}

/**
 * Edges between the sorted values: between all distinct ones if there are few, otherwise where as many rows as possible have equal bins.
 * An edge is halfway to the next value, and values above it are in later bins.
 */
export function chooseEdges(
  { f32, i32 }: Arena,
  places: TreesPlaces,
  { bins }: TreesShape,
  column: number,
  count: number,
): void {
  const keys = places.keys >> 2;
  const edges = (places.edges >> 2) + column * bins;
  let distinct = 1;
  for (let index = 1; index < count; index++) {
    if (f32[keys + index]! > f32[keys + index - 1]!) distinct++;
  }
  let found = 0;
  let last = 0;
  const steps = distinct <= bins ? count : bins;
  for (let step = 1; step < steps; step++) {
    let upper = Math.floor((step * count) / steps);
    if (upper <= last) continue;
    const value = f32[keys + upper - 1]!;
    while (upper < count && f32[keys + upper]! === value) upper++;
    if (upper === count) break;
    last = upper;
    const next = f32[keys + upper]!;
    const middle = Math.fround(value * 0.5 + next * 0.5);
    f32[edges + found++] = middle < next ? middle : value;
  }
  i32[(places.edgeCounts >> 2) + column] = found;
}

/** The bin of each value: the number of edges below it. */
export function binValues(
  { f32, i32, u8 }: Arena,
  places: TreesPlaces,
  { columns, bins }: TreesShape,
  column: number,
  count: number,
): void {
  const values = places.entries >> 2;
  const edges = (places.edges >> 2) + column * bins;
  const edgeCount = i32[(places.edgeCounts >> 2) + column]!;
  let at = places.binned + column;
  for (let row = 0; row < count; row++) {
    const value = f32[values + row]!;
    let low = 0;
    let high = edgeCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value > f32[edges + middle]!) low = middle + 1;
      else high = middle;
    }
    u8[at] = low;
    at += columns;
  }
}
