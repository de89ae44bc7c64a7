// The bit-level functions that ./elementary.ts needs, for JavaScript; assembly/bits.ts of @mm-ptx/ast is the version
// for WebAssembly.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

const MOST = 160;
const POWERS = new Float64Array(2 * MOST + 1);
for (let exponent = 0, power = 1; exponent <= MOST; exponent++, power *= 2) {
  POWERS[MOST + exponent] = power;
  POWERS[MOST - exponent] = 1 / power;
}

/** 2 to the power of an integer from -160 to 160. */
export function powerOfTwo(exponent: number): number {
  return POWERS[MOST + exponent]!;
}

/** The exponent of a positive finite f32, subnormal or not: x is 2^exponent times a number in [1, 2). */
export function exponentOf(x: number): number {
  float[0] = x;
  if (bits[0]! >= 0x00800000) return (bits[0]! >>> 23) - 127;
  float[0] = x * 16777216;
  return (bits[0]! >>> 23) - 151;
}
