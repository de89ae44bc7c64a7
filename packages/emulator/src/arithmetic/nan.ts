// Which NaN arithmetic gives (PTX ISA, Floating Point Instructions): f32 and narrower formats have one; f64 keeps the
// payload of the first operand that is a NaN, made quiet.

/** The NaN of f32 arithmetic. */
export const NAN_32 = 0x7fffffff;
/** What an invalid f64 operation gives. */
const INVALID_64 = 0xfff8000000000000n;
/** A NaN of a narrower format in f64. */
const CONVERTED_64 = 0x7fffffffe0000000n;
const QUIET = 1n << 51n;

const isNaN64 = (bits: bigint): boolean => (bits & 0x7fffffffffffffffn) > 0x7ff0000000000000n;

/**
 * The NaN of an f64 operation.
 * @param operands the bits of its f64 operands; none for a conversion from another type
 */
export function nan64(operands: readonly bigint[]): bigint {
  for (const bits of operands) if (isNaN64(bits)) return bits | QUIET;
  return operands.length === 0 ? CONVERTED_64 : INVALID_64;
}
