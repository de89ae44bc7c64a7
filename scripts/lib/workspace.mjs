// The workspace as files: where its root is, which folders are packages, which files a step reads. Everything here
// is plain Node, because set-up runs before anything is installed.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository that these scripts stand in. */
export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The version of pnpm that everything runs through; the same one as in package.json. */
export const PNPM = "pnpm@10.34.9";

/** Folders that never hold sources, whatever is listed. */
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
 * A hash of names and contents, so that moving a file or touching its clock behaves as it should: the first is a
 * change, the second is none.
 *
 * @param {string} root
 * @param {readonly string[]} files relative to `root`; a missing one counts as missing
 * @param {readonly string[]} [extra] values that the result depends on besides
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
 * A hash of names and sizes: enough to see that an output was deleted or cut short, and cheap for large ones.
 *
 * @param {string} root
 * @param {readonly string[]} files relative to `root`
 * @param {{ times?: boolean }} [options] `times`: also of when they were written, where making them anew costs little
 * @returns {string | undefined} `undefined` when one of them is missing
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
