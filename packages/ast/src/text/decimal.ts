// Rounds decimals to f32 once. JavaScript reads decimals as f64, and rounding the f64 to f32 is wrong only when the f64
// is exactly halfway between two f32 and the decimal is not; in that case the decimal itself is compared.
import { float32Bits, float32FromBits } from "../encode.js";

const DECIMAL = /^(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;
/** All midpoints between f32 are multiples of 2^-150. */
const MIDDLES_PER_UNIT = 150;
/** The number that would follow the largest f32. */
const OVERFLOW = 2 ** 128;

/**
 * The bits of the f32 nearest to an unsigned decimal, ties to even; infinity when the decimal is beyond the range of
 * f32.
 */
export function decimalToBits(text: string): number {
  const value = Number(text);
  const bits = float32Bits(value);
  const near = Math.min(float32FromBits(bits), OVERFLOW);
  if (near === value || value > OVERFLOW) return bits;
  const other = near < value ? bits + 1 : bits - 1;
  if (Math.abs(near - value) !== Math.abs(float32FromBits(other) - value)) return bits;
  const side = compare(text, value);
  if (side === 0) return bits;
  return side > 0 ? Math.max(bits, other) : Math.min(bits, other);
}

/** The sign of the difference between a decimal and a midpoint between two f32, both exact. */
function compare(text: string, middle: number): number {
  const [, whole = "", part = "", alone = "", power = "0"] = DECIMAL.exec(text)!;
  const fraction = part + alone;
  // Within the range of f32, the power of ten is not much larger than the number of digits, so no number here is much
  // longer than the text.
  const exponent = Number(power) - fraction.length;
  const scaled = BigInt(whole + fraction) << BigInt(MIDDLES_PER_UNIT);
  const wanted = BigInt(middle * 2 ** MIDDLES_PER_UNIT);
  const ten = 10n ** BigInt(Math.abs(exponent));
  const difference = exponent < 0 ? scaled - wanted * ten : scaled * ten - wanted;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
