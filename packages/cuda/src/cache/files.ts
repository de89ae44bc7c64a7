// File operations of the cache that Node's own functions do not provide in the required form.

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Without waiting for a writer of a named pipe. Windows has no such flag. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** The same, but a link is an error. */
export const READ_NO_LINK = READ_AT_ONCE | (constants.O_NOFOLLOW ?? 0);

/** A file's contents, as far as they can be read, and its status when it was opened. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly status: Stats;
}

/**
 * Reads a regular file, and throws for anything else in its place: a pipe or a device might never answer.
 *
 * @param flags `READ_AT_ONCE` or `READ_NO_LINK`
 */
export function readRegularSync(path: string, flags: number): ReadFile {
  const file = openSync(path, flags);
  try {
    const status = fstatSync(file);
    refuseOthers(path, status);
    const { size } = status;
    const bytes = Buffer.allocUnsafeSlow(size);
    let at = 0;
    while (at < size) {
      const count = readSync(file, bytes, at, size - at, at);
      if (count === 0) break;
      at += count;
    }
    return { bytes: bytes.subarray(0, at), status };
  } finally {
    closeSync(file);
  }
}

/** The same in the background. */
export async function readRegular(path: string, flags: number): Promise<ReadFile> {
  const file = await open(path, flags);
  try {
    const status = await file.stat();
    refuseOthers(path, status);
    return { bytes: await file.readFile(), status };
  } finally {
    await file.close();
  }
}

function refuseOthers(path: string, status: Stats): void {
  if (!status.isFile()) throw new Error(`expected a regular file, found another kind: ${path}`);
}

/**
 * Creates a folder and its parents for this user only. Node's recursive `mkdir` loops forever in a folder that exists
 * but reports ENOENT when something is created in it, such as `/proc`; this function tries each folder at most twice.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const above = dirname(path);
    if (codeOf(error) !== "ENOENT" || above === path) throw error;
    await makeFolder(above);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
