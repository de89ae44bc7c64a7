// Decimals to f32, rounded once. JavaScript reads them as f64, and rounding that to f32 goes wrong only where the f64
// stands exactly in the middle between two f32 while the decimal does not: there the decimal itself is compared.
import { float32Bits, float32FromBits } from "../encode.js";

const DECIMAL = /^(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;
/** All middles between f32 are whole multiples of 2^-150. */
const MIDDLES_PER_UNIT = 150;
/** What f32 would have behind its largest number. */
const OVERFLOW = 2 ** 128;

/** The f32 nearest to a decimal without a sign, ties to even, as bits; those of infinity when it is beyond f32. */
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

/** The sign of the difference of a decimal and a middle between two f32, both exact. */
function compare(text: string, middle: number): number {
  const [, whole = "", part = "", alone = "", power = "0"] = DECIMAL.exec(text)!;
  const fraction = part + alone;
  // Near f32 the power of ten is at most as far from zero as there are digits, and some: nothing grows beyond the text.
  const exponent = Number(power) - fraction.length;
  const scaled = BigInt(whole + fraction) << BigInt(MIDDLES_PER_UNIT);
  const wanted = BigInt(middle * 2 ** MIDDLES_PER_UNIT);
  const ten = 10n ** BigInt(Math.abs(exponent));
  const difference = exponent < 0 ? scaled - wanted * ten : scaled * ten - wanted;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
