// The NaNs that arithmetic produces (PTX ISA, Floating Point Instructions): f32 and narrower formats have a single one;
// f64 keeps the payload of the first NaN operand and makes it quiet.
import { CONVERTED_NAN_64, INVALID_NAN_64, QUIET_64 } from "@mm-ptx/types/internal/floats";

const isNaN64 = (bits: bigint): boolean => (bits & 0x7fffffffffffffffn) > 0x7ff0000000000000n;

/**
 * The NaN of an f64 operation.
 * @param operands the bits of its f64 operands; empty for a conversion from another type
 */
export function nan64(operands: readonly bigint[]): bigint {
  for (const bits of operands) if (isNaN64(bits)) return bits | QUIET_64;
  return operands.length === 0 ? CONVERTED_NAN_64 : INVALID_NAN_64;
}
