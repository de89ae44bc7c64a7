// Files that commands read and write as bytes. They are written atomically, and only when their content changes.
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { commandHelp } from "./help.js";
import { makeFolder, placeOf } from "./places.js";

/** The word for stdin or stdout on a command line. */
export const STANDARD = "-";

/** A file that cannot be read or written. */
export class FileError extends Error {
  readonly help = commandHelp("FILE");
}

/** The content of a file or of stdin. @throws FileError */
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
 * Writes a file next to its place and then moves it there, so that nobody sees half of it and a failure leaves the old
 * file. The file keeps its mode, and links to it stay intact, even links to a file that does not exist yet. Special
 * files such as `/dev/null` are written directly.
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

/** The end of the names of files that are about to be moved to their places. */
const TEMPORARY = ".mm-ptx-tmp";

/** Whether `writeWhole` is about to move a file to its place. */
export const isTemporary = (path: string): boolean => path.endsWith(TEMPORARY);

function replace(place: string, bytes: Uint8Array, mode: number | undefined): void {
  // Two processes, even on two machines, may write the same file.
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

/** The information that `statsOf` returns about a file. */
export interface FileStats {
  readonly mode: number;
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/**
 * Returns `undefined` when there is no file or it cannot be examined; the code that reads or writes it reports the
 * reason.
 */
export function statsOf(path: string): FileStats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The name of a path in messages. */
export const namedFile = (path: string): string => (path === STANDARD ? "standard input" : quoted(path));

/** A file as a prefix for its problems. */
export const shownName = (path: string): string => (path === STANDARD ? "<stdin>" : path);

/** Short reasons for the system's error codes. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EISDIR: "a folder",
  ELOOP: "symbolic links that lead back to themselves",
  ENOENT: "no such file",
  ENOSPC: "no room on the disk",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "no permission",
  EROFS: "a disk that can't be written",
  ERR_FS_FILE_TOO_LARGE: "too large",
  ERR_STRING_TOO_LONG: "longer than a string can be",
};

/** The reason why an operation on a file failed. */
export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message.replace(/^\w+: ([^,]*),.*$/s, "$1");
}
