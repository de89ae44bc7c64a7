// Files that commands write: whole or not at all, and left alone when nothing changed.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DescriptionError } from "../error.js";

/** A file's text; `undefined` when there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileError("read", path, error);
  }
}

/**
 * Writes those of the files whose text is another one. All are written beside their places first, so that a full disk
 * leaves the old ones as they were. A link stays one: the file that it leads to is written.
 * @returns the paths that changed
 * @throws DescriptionError FILE when one can't be written
 */
export function writeFiles(files: ReadonlyMap<string, string>): string[] {
  const changed = [...files].filter(([path, text]) => textOf(path) !== text);
  const temporary = (path: string) => `${placeOf(path)}.${process.pid}.tmp`;
  let at = "";
  try {
    for (const [path, text] of changed) {
      at = path;
      makeFolder(resolve(dirname(path)));
      writeFileSync(temporary(path), text);
    }
    for (const [path] of changed) {
      at = path;
      renameSync(temporary(path), placeOf(path));
    }
  } catch (error) {
    for (const [path] of changed) rmSync(temporary(path), { force: true });
    throw fileError("write", at, error);
  }
  return changed.map(([path]) => path);
}

/**
 * Where a file really is, whatever links lead there; the same for all ways to write its path. A link may lead to a file that
 * is not there yet.
 */
export function placeOf(path: string, links = MOST_LINKS): string {
  if (existsSync(path)) return realpathSync(path);
  const target = links > 0 ? targetOf(path) : undefined;
  if (target !== undefined) return placeOf(resolve(dirname(path), target), links - 1);
  const folder = resolve(dirname(path));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}

/** Links that follow each other at most, as Linux has it; more lead in a circle. */
const MOST_LINKS = 40;

/** What a symbolic link says; `undefined` for what is none. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Makes a folder with those above it. `mkdirSync` with `recursive` has no end where none can be made, as in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

function fileError(action: string, path: string, error: unknown): DescriptionError {
  const reason = error instanceof Error ? error.message.replace(/^\w+: ([^,]*),.*$/s, "$1") : String(error);
  return new DescriptionError("FILE", `expected a file to ${action}, found \`${path}\`: ${reason}`);
}
