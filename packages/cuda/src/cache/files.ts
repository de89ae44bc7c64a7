// What the cache does with files that Node's own functions do not do as it needs it.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** A file's bytes, as far as they are there, and when it was last used. */
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
 * Makes a folder, and those above it, for this user alone. Node's recursive `mkdir` tries for ever where a folder is there
 * and says that it is not when something is made in it, as `/proc` does; here each is tried twice.
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
