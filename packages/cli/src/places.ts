// The real places of files, and the folders that they are written to.
import { existsSync, mkdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The real place of a file behind all links, the same for all paths to it. A link may point to a file that does not
 * exist yet.
 */
export function placeOf(path: string, links = MOST_LINKS): string {
  if (existsSync(path)) return realpathSync(path);
  const target = links > 0 ? targetOf(path) : undefined;
  if (target !== undefined) return placeOf(resolve(dirname(path), target), links - 1);
  const folder = resolve(dirname(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}

/** The most links to follow, as in Linux; more than that is a cycle. */
const MOST_LINKS = 40;

/** The target of a symbolic link; `undefined` for anything else. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder and its parents. `mkdirSync` with `recursive` loops forever where no folder can be made, as in /proc.
 */
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
