// Files that commands write: all of them or none, and only those whose content changes.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DescriptionError } from "../error.js";
import { makeFolder, placeOf } from "./framework.js";

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
 * Writes those files whose text changes. All of them are first written next to their places, so that a full disk leaves
 * the old files as they were. Links are kept: the file that a link points to is written.
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

function fileError(action: string, path: string, error: unknown): DescriptionError {
  const reason = error instanceof Error ? error.message.replace(/^\w+: ([^,]*),.*$/s, "$1") : String(error);
  return new DescriptionError("FILE", `expected a file to ${action}, found \`${path}\`: ${reason}`);
}
