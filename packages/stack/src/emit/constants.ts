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

/** What each form has around the digits. */
export const CONSTANT_FORMS = ["0f", "0x", "0x"].map(
  (prefix, form) => `${prefix}${"\0".repeat(8)}${form === ConstantForm.unsigned ? "U, " : ", "}`,
);

/** The two digits of each byte. */
export const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) =>
  packPair(byte.toString(16).toUpperCase().padStart(2, "0")),
);

/** Two characters of text, the first in the low byte. */
export const enum Pair {
  endOfLine = 0x0a3b, // ";\n"
  comma = 0x202c, // ", "
  unsigned = 0x2c55, // "U,"
  zeroF = 0x6630, // "0f"
  zeroX = 0x7830, // "0x"
}
