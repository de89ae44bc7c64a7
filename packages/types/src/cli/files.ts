// Files that commands write: whole or not at all, and left alone when nothing changed.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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
 * leaves the old ones as they were.
 * @returns the paths that changed
 * @throws DescriptionError FILE when one can't be written
 */
export function writeFiles(files: ReadonlyMap<string, string>): string[] {
  const changed = [...files].filter(([path, text]) => textOf(path) !== text);
  const temporary = (path: string) => `${path}.${process.pid}.tmp`;
  let at = "";
  try {
    for (const [path, text] of changed) {
      at = path;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary(path), text);
    }
    for (const [path] of changed) {
      at = path;
      renameSync(temporary(path), path);
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
