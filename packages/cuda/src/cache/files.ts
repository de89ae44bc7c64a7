// File operations of the cache that Node's own functions do not provide in the required form.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** A file's contents, as far as they can be read, and its time of last use. */
export function readAtOnce(path: string): { readonly bytes: Uint8Array; readonly usedMs: number } {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    const bytes = Buffer.allocUnsafeSlow(size);
    let at = 0;
    while (at < size) {
      const count = readSync(file, bytes, at, size - at, at);
      if (count === 0) break;
      at += count;
    }
    return { bytes: bytes.subarray(0, at), usedMs: mtimeMs };
  } finally {
    closeSync(file);
  }
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
