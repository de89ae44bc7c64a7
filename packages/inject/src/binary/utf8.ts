// Lossless UTF-8: text that it cannot represent is an error, and a byte order mark is preserved.
import { PtxInjectError } from "../error.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws PtxInjectError INVALID_ARGUMENT for text with a lone surrogate. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  // If the number of bytes equals the number of characters, the text is ASCII.
  const start = bytes.length === text.length ? -1 : text.search(/\p{Surrogate}/u);
  if (start === -1) return bytes;
  const message = "expected text that UTF-8 can hold, found half of a surrogate pair";
  throw new PtxInjectError("INVALID_ARGUMENT", message, { text, span: { start, end: start + 1 } });
}

/** @throws TypeError if the bytes are not valid UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);
