// How constants are written: `0f3F800000`, `0x3F800000`, `0x3F800000U`.
import { packPair } from "./words.js";

/** How a constant is written. */
export const enum ConstantForm {
  /** `0f3F800000` */
  float = 0,
  /** `0x3F800000` */
  hex = 1,
  /** `0x3F800000U` */
  unsigned = 2,
}

/** The two digits of each byte, as `DataView.setUint16(…, true)` writes them. */
export const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) =>
  packPair(byte.toString(16).toUpperCase().padStart(2, "0")),
);

/** Two bytes of text as `DataView.setUint16(…, true)` writes them. */
export const enum Pair {
  endOfLine = 0x0a3b, // ";\n"
  comma = 0x202c, // ", "
  zeroF = 0x6630, // "0f"
  zeroX = 0x7830, // "0x"
}

/** Writes a constant and ", ". */
export function writeConstant(
  view: DataView,
  at: number,
  bits: number,
  form: number,
  hexPairs: Uint16Array = HEX_PAIRS,
): number {
  view.setUint16(at, form === ConstantForm.float ? Pair.zeroF : Pair.zeroX, true);
  view.setUint16(at + 2, hexPairs[bits >>> 24]!, true);
  view.setUint16(at + 4, hexPairs[(bits >>> 16) & 0xff]!, true);
  view.setUint16(at + 6, hexPairs[(bits >>> 8) & 0xff]!, true);
  view.setUint16(at + 8, hexPairs[bits & 0xff]!, true);
  if (form !== ConstantForm.unsigned) {
    view.setUint16(at + 10, Pair.comma, true);
    return at + 12;
  }
  view.setUint8(at + 10, 0x55);
  view.setUint16(at + 11, Pair.comma, true);
  return at + 13;
}
