// The files of the workspace: its root, the folders of packages, and listing and hashing files. This is plain
// Node, because set-up runs before anything is installed.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The version of pnpm, which is the same as in package.json. */
export const PNPM = "pnpm@10.34.9";

/** Folders that never contain sources and are never listed. */
const SKIPPED = new Set([
  "node_modules",
  "dist",
  "build",
  "out",
  ".git",
  ".turbo",
  ".deps",
  ".setup",
  "coverage",
  ".generated",
]);

/**
 * All files below a folder as sorted, slash-separated paths relative to `root`; a missing folder has none.
 *
 * @param {string} root
 * @param {string} folder relative to `root`
 * @param {(path: string) => boolean} [keep]
 * @returns {string[]}
 */
export function listFiles(root, folder, keep = () => true) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {string} */ directory) => {
    let entries;
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(path);
      } else if (entry.isFile()) {
        const name = relative(root, path).split(sep).join("/");
        if (keep(name)) found.push(name);
      }
    }
  };
  visit(join(root, folder));
  return found.sort();
}

/**
 * The workspace's package folders, relative to the root, in the order of pnpm-workspace.yaml's patterns.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function packageFolders(root) {
  const patterns = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
    .split(/\r?\n/)
    .flatMap((line) => /^\s+-\s+["']?([^"'\s]+)["']?\s*$/.exec(line)?.[1] ?? []);
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${parent}/${entry.name}`)
      .sort();
  });
  return folders.filter((folder) => existsSync(join(root, folder, "package.json")));
}

/**
 * The package.json of a workspace folder.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {any}
 */
export function readManifest(root, folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/**
 * A hash of names and contents: renaming a file changes it, and a new modification time alone does not.
 *
 * @param {string} root
 * @param {readonly string[]} files relative to `root`; a missing one counts as missing
 * @param {readonly string[]} [extra] other values that the result depends on
 */
export function hashFiles(root, files, extra = []) {
  const hash = createHash("sha256");
  for (const value of extra) hash.update(`${value}\0`);
  for (const file of files) {
    const path = join(root, file);
    hash.update(`${file}\0`);
    if (existsSync(path)) hash.update(createHash("sha256").update(readFileSync(path)).digest());
  }
  return hash.digest("hex");
}

/**
 * A hash of names and sizes, which is cheap for large files and detects outputs that were deleted or
 * truncated.
 *
 * @param {string} root
 * @param {readonly string[]} files relative to `root`
 * @param {{ times?: boolean }} [options] `times`: includes modification times, for files that are cheap to
 * rebuild
 * @returns {string | undefined} `undefined` if one of them is missing
 */
export function hashSizes(root, files, { times = false } = {}) {
  const hash = createHash("sha256");
  for (const file of files) {
    const status = statSync(join(root, file), { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    hash.update(`${file}\0${status.size}\0`);
    if (times) hash.update(`${status.mtimeMs}\0`);
  }
  return hash.digest("hex");
}
