// Files of bytes that commands read and write: written whole or not at all, left alone when nothing changed.
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quoted } from "../core/describe.js";
import { makeFolder, placeOf } from "./files.js";

/** The word for stdin and stdout on a command line. */
export const STANDARD = "-";

/** A file that can't be read or written. */
export class FileError extends Error {}

/** What is in a file, or comes from stdin. @throws FileError */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    if (path !== STANDARD) return readFileSync(path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new FileError(`expected a file to read, found ${namedFile(path)}: ${reasonOf(error)}`);
  }
}

/**
 * Writes a file beside its place, then moves it there: nobody sees half of it, and a failure leaves the old one. It keeps
 * its mode, and a link still leads to it, to a new one too. What is no ordinary file, such as `/dev/null`, is written to.
 * @returns whether it changed
 * @throws FileError
 */
export function writeWhole(path: string, bytes: Uint8Array): boolean {
  try {
    const stats = statsOf(path);
    if (stats?.isFile() && stats.size === bytes.length && readFileSync(path).equals(bytes)) return false;
    const place = placeOf(path);
    makeFolder(dirname(place));
    if (stats !== undefined && !stats.isFile()) writeFileSync(path, bytes);
    else replace(place, bytes, stats?.mode);
    return true;
  } catch (error) {
    throw new FileError(`expected a file to write, found ${namedFile(path)}: ${reasonOf(error)}`);
  }
}

/** What the names of files end in that are about to be moved to their places. */
const TEMPORARY = ".mm-ptx-tmp";

/** Whether a file is one that `writeWhole` is about to move to its place. */
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

/** What `statsOf` tells of a file. */
export interface FileStats {
  readonly mode: number;
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** `undefined` when there is nothing, or nothing that can be known: whoever reads or writes it says why. */
export function statsOf(path: string): FileStats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A path as messages name it. */
export const namedFile = (path: string): string => (path === STANDARD ? "standard input" : quoted(path));

/** A file as it stands before what is wrong in it. */
export const shownName = (path: string): string => (path === STANDARD ? "<stdin>" : path);

/** By the system's code, in few words. */
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

/** Why an operation on a file failed. */
export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message.replace(/^\w+: ([^,]*),.*$/s, "$1");
}
