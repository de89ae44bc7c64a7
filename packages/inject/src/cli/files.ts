// Texts as commands read and write them, which keep their bytes whatever encoding they are in; and whether a file holds
// what it should.
import { readFileSync } from "node:fs";
import { FileError, namedFile, reasonOf, statsOf } from "@mm-ptx/types/cli";

/** Text of a file, and what turns it into the same bytes again. */
export interface SourceText {
  readonly text: string;
  readonly encoding: "latin1" | "utf8";
}

/**
 * UTF-8 where the bytes are that; else every byte is a character, so that writing gives the same bytes back.
 * @throws FileError for more than a string holds
 */
export function decode(bytes: Uint8Array, path: string): SourceText {
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding: "utf8",
    };
  } catch {
    try {
      return {
        text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
        encoding: "latin1",
      };
    } catch (error) {
      throw new FileError(`expected a file to read, found ${namedFile(path)}: ${reasonOf(error)}`);
    }
  }
}

/** @throws FileError for signs that the encoding lacks: they come from another file, or from the command line */
export function encode(text: string, encoding: SourceText["encoding"]): Uint8Array {
  if (encoding === "latin1" && /[^\0-\xff]/.test(text)) {
    throw new FileError(
      "expected one encoding, found one file that is no UTF-8, and letters beside it that need it",
    );
  }
  return Buffer.from(text, encoding);
}

/** What a file holds compared to what it should. */
export type FileState = "fresh" | "missing" | "stale";

/** @throws FileError when there is something that can't be read */
export function stateOf(path: string, bytes: Uint8Array): FileState {
  try {
    const stats = statsOf(path);
    if (stats === undefined) return "missing";
    if (stats.isFile() && stats.size !== bytes.length) return "stale";
    return !stats.isFile() && !stats.isDirectory()
      ? "stale"
      : readFileSync(path).equals(bytes)
        ? "fresh"
        : "stale";
  } catch (error) {
    throw new FileError(`expected a file to read, found ${namedFile(path)}: ${reasonOf(error)}`);
  }
}
