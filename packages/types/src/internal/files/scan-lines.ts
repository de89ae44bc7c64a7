// Reads the lines of a file from an offset to its end.
import { fstatSync, readSync } from "node:fs";
import { LINE_FEED, LONGEST_LINE } from "./checked-line.js";

const CHUNK_BYTES = 2 ** 20;

/** Receives the lines of a file, whose bytes are only valid during a call. */
export interface LineVisitor {
  /** A line without its line feed: the bytes from `start` up to `end`, which begin at `offset` in the file. */
  line(bytes: Uint8Array, start: number, end: number, offset: number): void;
  /** A run of bytes without a line feed that exceeds the longest possible line. */
  tooLong(offset: number, length: number): void;
}

/** Visits the lines of a file from `start`, and returns where the last line feed ends. */
export function scanLines(file: number, start: number, visitor: LineVisitor): number {
  let buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, fstatSync(file).size - start + 1));
  /**
   * The bytes that have been read, their offset in the file, and how many of them are known to contain no line feed.
   */
  let read = buffer.subarray(0, 0);
  let base = start;
  let searched = 0;
  for (;;) {
    let lineStart = 0;
    for (;;) {
      const feed = read.indexOf(LINE_FEED, searched);
      if (feed < 0) break;
      visitor.line(read, lineStart, feed, base + lineStart);
      lineStart = feed + 1;
      searched = lineStart;
    }
    searched = read.length - lineStart;
    base += lineStart;
    if (searched > LONGEST_LINE) return skipLongLine(file, base, visitor);
    const next = searched > buffer.length / 2 ? Buffer.allocUnsafeSlow(buffer.length * 2) : buffer;
    read.copy(next, 0, lineStart);
    buffer = next;
    const count = readSync(file, buffer, searched, buffer.length - searched, base + searched);
    if (count === 0) return base;
    read = buffer.subarray(0, searched + count);
  }
}

/** Skips a line that is too long, and continues after it. */
function skipLongLine(file: number, start: number, visitor: LineVisitor): number {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let offset = start; ; ) {
    const count = readSync(file, buffer, 0, buffer.length, offset);
    if (count === 0) return start;
    const feed = buffer.subarray(0, count).indexOf(LINE_FEED);
    if (feed >= 0) {
      visitor.tooLong(start, offset + feed - start);
      return scanLines(file, offset + feed + 1, visitor);
    }
    offset += count;
  }
}
