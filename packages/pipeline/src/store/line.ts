// The lines of `results.jsonl`: {"key":"<signature><fingerprint>", ..., "check":"<CRC-32 of everything before its comma>"}.
import { crc32 } from "node:zlib";
import { HEX_DIGITS } from "./key.js";

/** What each line begins with. */
export const LINE_START = '{"key":"';
const START_BYTES = Buffer.from(LINE_START);
const KEY_END = LINE_START.length + 2 * HEX_DIGITS;
const CHECK_START = Buffer.from(',"check":"');
const CHECK_END = Buffer.from('"}');
const CHECK_DIGITS = 8;
/** The bytes from the comma before `check` to the end of the line. */
export const CHECK_BYTES = CHECK_START.length + CHECK_DIGITS + CHECK_END.length;
const SHORTEST = KEY_END + CHECK_BYTES;
export const LINE_FEED = 10;
/** The longest line, in bytes; longer ones are damage. */
export const LONGEST_LINE = 2 ** 28;

const DIGITS = Buffer.from("0123456789abcdef");

/** The beginning of a line, up to where its check follows. */
export function lineText(signature: string, fingerprint: string, result: string): string {
  return `${LINE_START}${signature}${fingerprint}",${result}`;
}

/** Writes the check of a line whose beginning is in `bytes` from `start` to `end`, and a line feed. Returns where the line ends. */
export function finishLine(bytes: Buffer, start: number, end: number): number {
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
export function isWholeLine(bytes: Buffer, start: number, end: number): boolean {
  const body = end - CHECK_BYTES;
  if (end - start < SHORTEST || !hasBytes(bytes, start, START_BYTES)) return false;
  if (!hasBytes(bytes, body, CHECK_START) || !hasBytes(bytes, end - CHECK_END.length, CHECK_END))
    return false;
  const check = crc32(bytes.subarray(start, body));
  let at = body + CHECK_START.length;
  for (let shift = 28; shift >= 0; shift -= 4)
    if (bytes[at++] !== DIGITS[(check >>> shift) & 15]) return false;
  return true;
}

function hasBytes(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/** The key of a whole line: its signature and then its fingerprint. */
export function keyOfLine(bytes: Buffer, start: number): string {
  return bytes.toString("latin1", start + LINE_START.length, start + KEY_END);
}
