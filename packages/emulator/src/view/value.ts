// Formats bits as values of their type.
import { type PtxType, TYPES } from "../program/types.js";

const word = new DataView(new ArrayBuffer(8));

/**
 * Formats 32-bit and 64-bit floats so that they parse to the same bits, integers in decimal unless they are large, and
 * everything else in hexadecimal.
 */
export function valueText(bits: bigint, type: PtxType): string {
  const { bits: width, class: kind, lanes } = TYPES[type];
  if (kind === "pred") return bits === 0n ? "false" : "true";
  if (kind === "float" && lanes === 1 && width >= 32) return floatText(bits, width);
  if (lanes === 2 || kind === "bits" || kind === "float") return `0x${bits.toString(16)}`;
  const value = kind === "signed" ? BigInt.asIntN(width, bits) : bits;
  // Addresses are easier to read in hexadecimal, counts in decimal.
  return value < 2n ** 32n ? `${value}` : `0x${value.toString(16)}`;
}

function floatText(bits: bigint, width: number): string {
  if (width === 32) word.setUint32(0, Number(bits));
  else word.setBigUint64(0, bits);
  const value = width === 32 ? word.getFloat32(0) : word.getFloat64(0);
  if (Number.isNaN(value)) return `NaN(0x${bits.toString(16)})`;
  if (Object.is(value, -0)) return "-0";
  return width === 32 ? shortest32(value) : `${value}`;
}

/** The fewest digits that parse to the same f32. */
function shortest32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = `${Number(value.toPrecision(digits))}`;
    if (Math.fround(Number(text)) === value) return text;
  }
  return `${Number(value.toPrecision(9))}`;
}
