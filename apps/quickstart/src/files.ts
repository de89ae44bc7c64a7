// Files that are complete or absent: each is written beside its place under a temporary name and then renamed.

import { readdirSync, renameSync, rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const TEMPORARY = /^\.mm-ptx-(\d+)-.*\.tmp$/;

/** The name under which this process prepares a file; other processes use a different one. */
export function temporaryName(folder: string, name: string): string {
  return join(folder, `.mm-ptx-${process.pid}-${name}.tmp`);
}

/** Writes a file in one piece: readers see either the old contents or the new. */
export async function writeWhole(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const temporary = temporaryName(folder, name);
  try {
    await writeFile(temporary, content);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Gives a prepared file its final name. */
export function publish(folder: string, name: string): void {
  renameSync(temporaryName(folder, name), join(folder, name));
}

/** Removes the unfinished files of processes that were killed. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = TEMPORARY.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
