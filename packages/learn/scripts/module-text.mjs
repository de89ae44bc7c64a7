// Bytes as printable ASCII. Most bytes of a module are one character, so that what compresses well as bytes does so as text.

/** The first character of a byte, the number of characters, and what is added to bytes so that the most frequent ones come first. */
const FIRST = 35;
const CHARACTERS = 92;
const SHIFT = 7;

/** The text that `bytesOfText` of src/model/module-text.ts decodes. */
export function textOfBytes(/** @type {Uint8Array} */ bytes) {
  let text = "";
  for (const byte of bytes) {
    const value = (byte + SHIFT) & 0xff;
    const high = Math.floor(value / CHARACTERS);
    if (high > 0) text += String.fromCharCode(FIRST - 3 + high - 1);
    text += String.fromCharCode(FIRST + (value % CHARACTERS));
  }
  return text;
}
