// How commands read and write texts: their bytes are preserved in any encoding. Also compares a file with its expected
// contents.
import { readFileSync } from "node:fs";
import { FileError, namedFile, reasonOf, statsOf } from "./framework.js";

/** The text of a file, and how to convert it back to the same bytes. */
export interface SourceText {
  readonly text: string;
  readonly encoding: "latin1" | "utf8";
}

/**
 * Decodes UTF-8; if the bytes are not valid UTF-8, every byte becomes a character, so that writing gives the same
 * bytes.
 * @throws FileError if it is more than a string can hold
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

/** @throws FileError for characters that the encoding lacks; they come from another file, or from the command line */
export function encode(text: string, encoding: SourceText["encoding"]): Uint8Array {
  if (encoding === "latin1" && /[^\0-\xff]/.test(text)) {
    throw new FileError(
      "expected one encoding, found a file that is not UTF-8 and other text with characters that need UTF-8",
    );
  }
  return Buffer.from(text, encoding);
}

/** How the contents of a file compare with the expected contents. */
export type FileState = "fresh" | "missing" | "stale";

/** @throws FileError if there is something that cannot be read */
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
