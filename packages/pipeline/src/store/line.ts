// The lines of `results.jsonl`: {"key":"<signature><fingerprint>", ..., "check":"<CRC-32 of everything before its comma>"}.
import { readSync } from "node:fs";
import { CHECK_BYTES, hasBytes, isWholeLine, textOf } from "@mm-ptx/types/internal/node";
import { HEX_DIGITS } from "./key.js";

/** What each line begins with. */
export const LINE_START = '{"key":"';
const START_BYTES = Buffer.from(LINE_START);
const KEY_END = LINE_START.length + 2 * HEX_DIGITS;
const SHORTEST = KEY_END + CHECK_BYTES;

/** The beginning of a line, up to where its check follows. */
export function lineText(signature: string, fingerprint: string, result: string): string {
  return `${LINE_START}${signature}${fingerprint}",${result}`;
}

/** Whether the line in `bytes` from `start` to `end`, without its line feed, is a result as it was written. */
export function isWholeResult(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= SHORTEST && hasBytes(bytes, start, START_BYTES) && isWholeLine(bytes, start, end);
}

/** The key of a whole line: its signature and then its fingerprint. */
export function keyOfLine(bytes: Uint8Array, start: number): string {
  return textOf(bytes, start + LINE_START.length, start + KEY_END);
}

/** Whether a file, none of whose lines is whole, begins as results do: it is empty, or its first line is torn or damaged further on. */
export function beginsLikeResults(file: number): boolean {
  const start = Buffer.alloc(LINE_START.length);
  const count = readSync(file, start, 0, start.length, 0);
  return LINE_START.startsWith(start.toString("latin1", 0, count));
}
