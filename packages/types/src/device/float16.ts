// Converts numbers to the two 16-bit floating-point types.

const bits = new DataView(new ArrayBuffer(8));

/** The bits of the nearest f16 (IEEE 754 binary16), ties to even. NaN is 0x7fff, as PTX has it. */
export const float16Bits = (value: number): number => roundedBits(value, 5, 10);

/** The bits of the nearest bf16, ties to even. NaN is 0x7fff, as PTX has it. */
export const bfloat16Bits = (value: number): number => roundedBits(value, 8, 7);

/** Converts a number to a 16-bit format with the given numbers of exponent and fraction bits. */
function roundedBits(value: number, exponentBits: number, fractionBits: number): number {
  bits.setFloat64(0, value);
  const sign = bits.getUint16(0) & 0x8000;
  if (Number.isNaN(value)) return 0x7fff;
  const size = Math.abs(value);
  const bias = 2 ** (exponentBits - 1) - 1;
  const infinity = (2 ** exponentBits - 1) * 2 ** fractionBits;
  // Subnormal numbers have the exponent of the smallest normal ones.
  const exponent = Math.max(((bits.getUint16(0) >> 4) & 0x7ff) - 1023, 1 - bias);
  // Multiplying by a power of 2 is exact here. A result that rounds up to the next exponent, or beyond the last one,
  // has the right bits.
  const units = roundHalfEven(size * 2 ** (fractionBits - exponent));
  return sign | Math.min(infinity, units + (exponent + bias - 1) * 2 ** fractionBits);
}

function roundHalfEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
