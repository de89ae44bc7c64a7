// A file that lines are appended to. Lines are gathered in memory and written together; the remains of a failed write
// are truncated, so the file always consists of whole lines unless the process is killed.
import { closeSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { CHECK_BYTES, finishLine, LINE_FEED } from "./checked-line.js";

const BUFFER_BYTES = 65_536;
/** The most bytes of a UTF-16 unit in UTF-8. */
const UTF8_BYTES = 3;
const END_BYTES = CHECK_BYTES + 1;

/** Writes bytes at a position of a file, as `writeSync` does. */
export type Write = (
  file: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => number;

/** The place of a line: the offset of its first byte in the file, and the number of its bytes without the line feed. */
export interface LinePlace {
  offset: number;
  bytes: number;
}

/** An open file of lines. Errors are those of the file system. */
export class AppendFile {
  readonly #file: number;
  readonly #write: Write;
  readonly #pending = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #pendingBytes = 0;
  /** The bytes of the file that are whole lines. */
  #written: number;
  #scratch = Buffer.allocUnsafeSlow(4096);

  /** @param written the bytes of the file that are whole lines; what follows them is overwritten */
  constructor(file: number, written: number, write: Write = writeSync) {
    this.#file = file;
    this.#written = written;
    this.#write = write;
  }

  /** The bytes that are in the file. */
  get written(): number {
    return this.#written;
  }

  /** The bytes that are still to be written. */
  get pending(): number {
    return this.#pendingBytes;
  }

  /** Appends a line, given without its check, and sets `place`. The line is not kept if this throws. */
  append(text: string, place: LinePlace): void {
    const most = text.length * UTF8_BYTES + END_BYTES;
    if (most > BUFFER_BYTES) {
      this.#appendLong(text, place);
      return;
    }
    if (most > BUFFER_BYTES - this.#pendingBytes) this.flush();
    const start = this.#pendingBytes;
    const end = finishLine(this.#pending, start, start + this.#pending.write(text, start, "utf8"));
    this.#pendingBytes = end;
    place.offset = this.#written + start;
    place.bytes = end - start - 1;
  }

  /** Writes what is pending. Lines that could not be written stay pending if this throws. */
  flush(): void {
    const { taken, error } = this.#writeLines(this.#pending, this.#pendingBytes);
    this.#pending.copyWithin(0, taken, this.#pendingBytes);
    this.#pendingBytes -= taken;
    if (error !== undefined) throw error;
  }

  /** The bytes of a line, valid until the next call. */
  read({ offset, bytes }: Readonly<LinePlace>): { readonly buffer: Uint8Array; readonly start: number } {
    if (offset >= this.#written) return { buffer: this.#pending, start: offset - this.#written };
    if (this.#scratch.length < bytes)
      this.#scratch = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
    let read = 0;
    while (read < bytes) {
      const count = readSync(this.#file, this.#scratch, read, bytes - read, offset + read);
      if (count === 0) break;
      read += count;
    }
    // A file that has become shorter must not look like an earlier line.
    this.#scratch.fill(0, read, bytes);
    return { buffer: this.#scratch, start: 0 };
  }

  close(): void {
    closeSync(this.#file);
  }

  #appendLong(text: string, place: LinePlace): void {
    this.flush();
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text) + END_BYTES);
    finishLine(bytes, 0, bytes.write(text, 0, "utf8"));
    place.offset = this.#written;
    place.bytes = bytes.length - 1;
    const { error } = this.#writeLines(bytes, bytes.length);
    if (error !== undefined) throw error;
  }

  /**
   * Writes lines, and returns the bytes of those that are in the file now. After an error, the partly written line is
   * truncated.
   */
  #writeLines(bytes: Buffer, length: number): { readonly taken: number; readonly error?: unknown } {
    let done = 0;
    try {
      while (done < length) {
        const count = this.#write(this.#file, bytes, done, length - done, this.#written + done);
        if (count === 0) throw new Error("expected the file to grow, found that no byte was written");
        done += count;
      }
      this.#written += length;
      return { taken: length };
    } catch (error) {
      const taken = done === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, done - 1) + 1;
      this.#written += taken;
      this.#cut();
      return { taken, error };
    }
  }

  #cut(): void {
    try {
      ftruncateSync(this.#file, this.#written);
    } catch {
      // The next write begins at the same place, and opening the file cuts off a torn line.
    }
  }
}
