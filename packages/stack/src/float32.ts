// Conversions between numbers and the bits of an f32.
import { invalid } from "./arguments.js";

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/**
 * The bits of a number rounded to f32 (round to nearest even), as u32.
 * @throws StackPtxError INVALID_ARGUMENT when it is not a number
 */
export function float32Bits(value: number): number {
  if (typeof value !== "number") throw invalid("a number", value);
  floats[0] = value;
  return bits[0]!;
}

/** The number whose f32 bits these are. */
export function float32FromBits(word: number): number {
  bits[0] = word;
  return floats[0]!;
}
