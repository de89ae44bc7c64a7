// Bytes as printable ASCII. Most bytes of a module are one character, so that what compresses well as bytes does so as text.

/** The first character of a byte, the number of characters, and the bytes in the order of their values: the most frequent ones first. */
const FIRST = 35;
const CHARACTERS = 92;
const BYTES = [...range(0xfd, 0x42), ...range(0x6a, 0x81), ...range(0x42, 0x6a), ...range(0x81, 0xfd)];
const VALUES = BYTES.map((_, byte) => BYTES.indexOf(byte));

/** The bytes from `start` to `end`, which may follow 0xff. */
function range(/** @type {number} */ start, /** @type {number} */ end) {
  return Array.from({ length: (end - start) & 0xff }, (_, index) => (start + index) & 0xff);
}

/** The text that `bytesOfText` of src/model/module-text.ts decodes. */
export function textOfBytes(/** @type {Uint8Array} */ bytes) {
  let text = "";
  for (const byte of bytes) {
    const value = VALUES[byte] ?? 0;
    const high = Math.floor(value / CHARACTERS);
    if (high > 0) text += String.fromCharCode(FIRST - 4 + high);
    text += String.fromCharCode(FIRST + (value % CHARACTERS));
  }
  return text;
}
