// Numbers as f32 and the bits of an f32, both ways.
import { invalid } from "./arguments.js";

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

/**
 * The bits of a number rounded to f32 (round to nearest even), as u32.
 * @throws StackPtxError INVALID_VALUE when it is no number
 */
export function float32Bits(value: number): number {
  if (typeof value !== "number") throw invalid("a number", value);
  floats[0] = value;
  return bits[0]!;
}

/** The number that 32 bits are as an f32. */
export function float32FromBits(word: number): number {
  bits[0] = word;
  return floats[0]!;
}
