// Reads the lines of a results file from an offset to its end.
import { fstatSync, readSync } from "node:fs";
import { isWholeLine, keyOfLine, LINE_FEED, LINE_START, LONGEST_LINE } from "./line.js";

const CHUNK_BYTES = 2 ** 20;

/** Lines of the file that are damaged, one after another. */
export interface Damage {
  readonly offset: number;
  readonly bytes: number;
}

/** Receives what is found. */
export interface LineVisitor {
  /** A whole line, by its key, without its line feed. */
  line(key: string, offset: number, bytes: number): void;
  /** A damaged line. */
  damage(offset: number, bytes: number): void;
}

/** Visits the lines of a file from `start`, and returns where the last line feed ends. */
export function scanLines(file: number, start: number, visitor: LineVisitor): number {
  let buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, fstatSync(file).size - start + 1));
  /** What has been read of the file, where that begins, and how much of it is known to have no line feed. */
  let read = buffer.subarray(0, 0);
  let base = start;
  let searched = 0;
  for (;;) {
    let lineStart = 0;
    for (;;) {
      const feed = read.indexOf(LINE_FEED, searched);
      if (feed < 0) break;
      if (isWholeLine(read, lineStart, feed))
        visitor.line(keyOfLine(read, lineStart), base + lineStart, feed - lineStart);
      else visitor.damage(base + lineStart, feed - lineStart);
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

/** Skips damage that is longer than any line, and continues after it. */
function skipLongLine(file: number, start: number, visitor: LineVisitor): number {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let offset = start; ; ) {
    const count = readSync(file, buffer, 0, buffer.length, offset);
    if (count === 0) return start;
    const feed = buffer.subarray(0, count).indexOf(LINE_FEED);
    if (feed >= 0) {
      visitor.damage(start, offset + feed - start);
      return scanLines(file, offset + feed + 1, visitor);
    }
    offset += count;
  }
}

/** Whether a file, none of whose lines is whole, begins as results do: it is empty, or its first line is torn or damaged further on. */
export function beginsLikeResults(file: number): boolean {
  const start = Buffer.alloc(LINE_START.length);
  const count = readSync(file, start, 0, start.length, 0);
  return LINE_START.startsWith(start.toString("latin1", 0, count));
}
