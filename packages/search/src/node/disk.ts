// Writing files so that a killed process, a full disk or a power cut leaves either the old file or the new one.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Write } from "@mm-ptx/types/internal/node";

/** What writes; tests have disks that fill up. */
export interface Disk {
  readonly write: Write;
}

export const DISK: Disk = { write: writeSync };

/** Writes a file beside its place, waits until it is on the disk, and moves it there. Errors are those of the file system. */
export function replaceFile(path: string, chunks: Iterable<Uint8Array>, disk: Disk): void {
  const temporary = `${path}.new`;
  try {
    const file = openSync(temporary, "w");
    try {
      let end = 0;
      for (const chunk of chunks) end = writeAll(file, chunk, end, disk);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Returns where the bytes end. */
function writeAll(file: number, chunk: Uint8Array, start: number, { write }: Disk): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let done = 0;
  while (done < bytes.length) {
    const count = write(file, bytes, done, bytes.length - done, start + done);
    if (count === 0) throw new Error("expected the file to grow, found that no byte was written");
    done += count;
  }
  return start + done;
}

/** Waits until the names in a folder are on the disk, where the system can do that. */
export function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, "r");
    fsyncSync(folder);
  } catch {
    // Windows has no such call for folders, nor have some file systems.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Creates a folder and those above it, one by one: Node's own recursion does not end in file systems that have no room for folders. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!existsSync(path)) throw error;
  }
}
