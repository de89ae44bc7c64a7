// Finds the nvPTXCompiler archive on this machine: first by environment variables, then in the usual CUDA
// folders, then in the folder that set-up fetches it into. The archive itself is searched for, because many
// CUDA installations lack it.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The version that set-up fetches if the machine has no archive. */
export const ARCHIVE_VERSION = "13.0.88";

/** The folder that set-up unpacks it into, relative to the root. */
export const ARCHIVE_FOLDER = `.deps/nvptxcompiler-${ARCHIVE_VERSION}`;

/** The file system functions that the search needs; tests replace them. */
/** @typedef {{ isFile: (path: string) => boolean, list: (folder: string) => string[] }} FileView */

/** @type {FileView} */
export const realFiles = {
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
};

/** @typedef {{ folder: string, library: string, source: string }} Archive `folder` is the path for CMake */

/**
 * The archive in `folder`, which must contain both the header and the static library.
 *
 * @param {string} folder
 * @param {string} machine as in Node's `process.arch`
 * @param {FileView} files
 * @returns {{ folder: string, library: string } | undefined}
 */
export function archiveIn(folder, machine, files) {
  const target = `targets/${machine === "arm64" ? "sbsa" : "x86_64"}-linux`;
  const headers = ["include", `${target}/include`].map((place) => join(folder, place, "nvPTXCompiler.h"));
  if (!headers.some(files.isFile)) return undefined;
  const library = [
    ...["lib", "lib64", `${target}/lib`].map((place) => join(folder, place, "libnvptxcompiler_static.a")),
    join(folder, "lib/x64/nvptxcompiler_static.lib"),
  ].find(files.isFile);
  return library === undefined ? undefined : { folder, library };
}

/**
 * The first archive in the documented order, and all places that were searched without finding one.
 *
 * @param {{ root: string, environment: Record<string, string | undefined>, machine: string, files?: FileView }} options
 * @returns {{ archive: Archive | undefined, lookedAt: string[] }}
 */
export function locateArchive({ root, environment, machine, files = realFiles }) {
  /** @type {{ folder: string, source: string }[]} */
  const places = [];
  for (const source of ["MM_PTX_NVPTXCOMPILER_DIR", "CUDA_HOME", "CUDA_PATH"]) {
    const folder = environment[source];
    if (folder) places.push({ folder, source });
  }
  const installed = files.list("/usr/local").filter((name) => name === "cuda" || name.startsWith("cuda-"));
  for (const name of installed.sort(newestFirst))
    places.push({ folder: `/usr/local/${name}`, source: `/usr/local/${name}` });
  places.push({
    folder: join(root, ARCHIVE_FOLDER, "nvidia/cu13"),
    source: `nvidia-nvptxcompiler ${ARCHIVE_VERSION}`,
  });

  const lookedAt = [];
  for (const { folder, source } of places) {
    const found = archiveIn(folder, machine, files);
    if (found !== undefined) return { archive: { ...found, source }, lookedAt };
    lookedAt.push(folder);
  }
  return { archive: undefined, lookedAt };
}

/**
 * Sorts the unversioned folder first, because the administrator chose it, and then newer versions first.
 *
 * @param {string} a
 * @param {string} b
 */
function newestFirst(a, b) {
  if (a === "cuda" || b === "cuda") return a === b ? 0 : a === "cuda" ? -1 : 1;
  return b.localeCompare(a, "en", { numeric: true });
}
