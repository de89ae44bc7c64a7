// What lookups do with columns of values.
import { log2 } from "@mm-ptx/types/internal/floats";
import type { Span } from "./span.js";

/** The largest values that are used. */
const LARGEST = 1e12;

/** Writes the logarithms of the sizes of values. Returns false if they can't be. */
export function logarithmsOf(values: Float64Array, out: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) {
    const size = Math.abs(values[row]!);
    if (!(size > 1 / LARGEST && size < LARGEST)) return false;
    out[row] = log2(size);
  }
  return true;
}

/** Subtracts a span and makes the length 1, and the first value that is not near 0 positive. Returns false if nothing is left. */
export function normalize(span: Span, values: Float64Array): boolean {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const length = Math.sqrt(span.remove(values));
  if (!(length > 1e-6 * largest && length < LARGEST)) return false;
  let sign = 0;
  for (let row = 0; row < values.length; row++) {
    const part = values[row]! / length;
    if (sign === 0 && Math.abs(part) > 1e-3) sign = part < 0 ? -1 : 1;
    values[row] = part;
  }
  if (sign < 0) for (let row = 0; row < values.length; row++) values[row] = -values[row]!;
  return true;
}

/** The best line through points. */
export function fitLine(from: Float64Array, to: Float64Array): { scale: number; offset: number } {
  const rows = from.length;
  let [x, y] = [0, 0];
  for (let row = 0; row < rows; row++) {
    x += from[row]! / rows;
    y += to[row]! / rows;
  }
  let [products, squares] = [0, 0];
  for (let row = 0; row < rows; row++) {
    products += (from[row]! - x) * (to[row]! - y);
    squares += (from[row]! - x) * (from[row]! - x);
  }
  const scale = squares > 0 ? products / squares : 0;
  return { scale, offset: y - scale * x };
}

/** What the outputs would have to be, if they may be scaled as they are best scaled now. */
export function unscale(target: Float64Array, outputs: Float64Array): boolean {
  const rows = target.length;
  let [x, y] = [0, 0];
  for (let row = 0; row < rows; row++) {
    x += outputs[row]! / rows;
    y += target[row]! / rows;
  }
  let [products, squares] = [0, 0];
  for (let row = 0; row < rows; row++) {
    products += (outputs[row]! - x) * (target[row]! - y);
    squares += (outputs[row]! - x) * (outputs[row]! - x);
  }
  const scale = products / squares;
  if (!(Math.abs(scale) > 1e-12 && Math.abs(scale) < 1e12)) return false;
  for (let row = 0; row < rows; row++) target[row] = x + (target[row]! - y) / scale;
  return true;
}
