// Text as UTF-8, without losing anything: what it can't hold is an error, and a byte order mark stays.
import { PtxInjectError } from "../error.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws PtxInjectError INVALID_INPUT when half of a surrogate pair stands alone. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  // A text of as many bytes as characters is ASCII.
  const start = bytes.length === text.length ? -1 : text.search(/\p{Surrogate}/u);
  if (start === -1) return bytes;
  const message = "expected text that UTF-8 can hold, found half of a surrogate pair";
  throw new PtxInjectError("INVALID_INPUT", message, { text, span: { start, end: start + 1 } });
}

/** @throws TypeError when the bytes are no UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);
