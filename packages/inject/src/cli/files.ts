// Files as commands read and write them: bytes in, bytes out; written whole or not at all, left alone when nothing
// changed. Text keeps its bytes whatever encoding it is in.
import { chmodSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, placeOf } from "@mm-ptx/types/cli";
import { quoted } from "@mm-ptx/types/core";

/** The word for stdin and stdout on a command line. */
export const STANDARD = "-";

/** A file that can't be read or written. */
export class FileError extends Error {}

/** Text of a file, and what turns it into the same bytes again. */
export interface SourceText {
  readonly text: string;
  readonly encoding: "latin1" | "utf8";
}

/** @throws FileError */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    if (path !== STANDARD) return readFileSync(path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new FileError(`expected a file to read, found ${named(path)}: ${reasonOf(error)}`);
  }
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
      throw new FileError(`expected a file to read, found ${named(path)}: ${reasonOf(error)}`);
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
    throw new FileError(`expected a file to read, found ${named(path)}: ${reasonOf(error)}`);
  }
}

/**
 * Writes a file beside its place, then moves it there: nobody sees half of it, and a failure leaves the old one. It keeps
 * its mode, and a link still leads to it, to a new one too. What is no ordinary file, such as `/dev/null`, is written to.
 * @returns whether it changed
 * @throws FileError
 */
export function writeWhole(path: string, bytes: Uint8Array): boolean {
  if (stateOf(path, bytes) === "fresh") return false;
  try {
    const place = placeOf(path);
    makeFolder(dirname(place));
    const stats = statsOf(path);
    if (stats !== undefined && !stats.isFile()) writeFileSync(path, bytes);
    else replace(place, bytes, stats?.mode);
    return true;
  } catch (error) {
    throw new FileError(`expected a file to write, found ${named(path)}: ${reasonOf(error)}`);
  }
}

/** What the names of files end in that are about to be moved to their places. */
const TEMPORARY = ".ptxinject-tmp";

export const isTemporary = (path: string): boolean => path.endsWith(TEMPORARY);

function replace(place: string, bytes: Uint8Array, mode: number | undefined): void {
  // Two processes may write the same file, on two machines even.
  const unique = `${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
  const temporary = join(dirname(place), `.${basename(place).slice(0, 50)}.${unique}${TEMPORARY}`);
  try {
    writeFileSync(temporary, bytes, { flag: "wx" });
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** `undefined` when there is nothing, or nothing that can be known: whoever reads or writes it says why. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A path as messages name it. */
export const named = (path: string): string => (path === STANDARD ? "standard input" : quoted(path));

/** Why a file could not be had, in few words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EISDIR: "a folder",
  ELOOP: "symbolic links that lead back to themselves",
  ENOENT: "no such file",
  ENOSPC: "no room on the disk",
  ENOTDIR: "a part of its path is no folder",
  EPERM: "no permission",
  EROFS: "a disk that can't be written",
  ERR_FS_FILE_TOO_LARGE: "too large",
  ERR_STRING_TOO_LONG: "longer than a string can be",
};

export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message.replace(/^\w+: ([^,]*),.*$/s, "$1");
}
