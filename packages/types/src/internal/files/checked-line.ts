// Lines of JSON that end with a check of their own bytes: {..., "check":"<CRC-32 of everything before its comma>"}.
import { crc32 } from "node:zlib";

const CHECK_START = Buffer.from(',"check":"');
const CHECK_END = Buffer.from('"}');
const CHECK_DIGITS = 8;
/** The bytes from the comma before `check` to the end of the line. */
export const CHECK_BYTES = CHECK_START.length + CHECK_DIGITS + CHECK_END.length;
export const LINE_FEED = 10;
/** The longest line, in bytes; longer ones are damage. */
export const LONGEST_LINE = 2 ** 28;

const DIGITS = Buffer.from("0123456789abcdef");

/** Writes the check of a line whose beginning is in `bytes` from `start` to `end`, and a line feed. Returns where the line ends. */
export function finishLine(bytes: Uint8Array, start: number, end: number): number {
  const check = crc32(bytes.subarray(start, end));
  bytes.set(CHECK_START, end);
  let at = end + CHECK_START.length;
  for (let shift = 28; shift >= 0; shift -= 4) bytes[at++] = DIGITS[(check >>> shift) & 15]!;
  bytes.set(CHECK_END, at);
  at += CHECK_END.length;
  bytes[at] = LINE_FEED;
  return at + 1;
}

/** Whether the line in `bytes` from `start` to `end`, without its line feed, is as it was written. */
export function isWholeLine(bytes: Uint8Array, start: number, end: number): boolean {
  const body = end - CHECK_BYTES;
  if (body <= start) return false;
  if (!hasBytes(bytes, body, CHECK_START) || !hasBytes(bytes, end - CHECK_END.length, CHECK_END))
    return false;
  const check = crc32(bytes.subarray(start, body));
  let at = body + CHECK_START.length;
  for (let shift = 28; shift >= 0; shift -= 4)
    if (bytes[at++] !== DIGITS[(check >>> shift) & 15]) return false;
  return true;
}

/** Whether these bytes are at an index of others. */
export function hasBytes(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/** The text of some bytes in UTF-8. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", start, end);
