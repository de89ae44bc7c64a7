// Text as 8-byte words. A stub is mostly short pieces that are known beforehand; copying them as float64 words moves
// eight characters at a time. ASCII only: no byte has its top bit set, so no word is a NaN that the engine may change.
// A piece's last word may write beyond it; the next piece overwrites that.

export const enum Word {
  bytes = 8,
  /** Words of a mnemonic that the common loop writes: `fma.rn.ftz.f32 ` and its like. */
  perMnemonic = 3,
  mnemonicBytes = 24,
}

/** The eight characters from `start` as one word that `DataView.setFloat64(…, true)` writes in order. */
export function packWord(text: string, start: number): number {
  for (let byte = 0; byte < Word.bytes; byte++) {
    const at = start + byte;
    packView.setUint8(byte, at < text.length ? text.charCodeAt(at) : 0);
  }
  return packView.getFloat64(0, true);
}

const packView = new DataView(new ArrayBuffer(Word.bytes));

/** Two bytes of text as `DataView.setUint16(…, true)` writes them. */
export const enum Pair {
  endOfLine = 0x0a3b, // ";\n"
  comma = 0x202c, // ", "
  zeroF = 0x6630, // "0f"
}

/** The two lower case digits of each byte, as `DataView.setUint16(…, true)` writes them. */
export const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, "0");
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});
