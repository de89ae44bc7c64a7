// The text in which scripts/module-text.mjs writes WebAssembly modules: printable ASCII, in which most bytes are one character. Unlike
// hexadecimal digits, it is about as long after compression as the bytes are.

/**
 * The bytes of a module. A space or a `!` belongs to the next character, whose value it raises. Values are bytes from 0xfd on, but those from
 * 0x6a to 0x80 come before those from 0x42 on, which are less frequent.
 */
export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let high = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 34) high = 92 * (code - 31);
    else {
      const value = high + code - 35;
      const isMoved = value >= 69 && value < 132;
      bytes.push(value - 3 + (isMoved ? (value < 92 ? 40 : -23) : 0));
      high = 0;
    }
  }
  return Uint8Array.from(bytes);
}
