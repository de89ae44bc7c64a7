// Packs packages as they would be published, into a folder of tarballs.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "./process.mjs";
import { readTarball } from "./tarball.mjs";
import { findOnPath } from "./tools.mjs";
import { PNPM, packageFolders, ROOT, readManifest } from "./workspace.mjs";

const execute = promisify(execFile);

/** @typedef {{ name: string, tarball: string, manifest: any } & import("./tarball.mjs").Contents} Packed */

/**
 * The published packages. A platform package without binaries is left out, because it may be for another
 * platform.
 */
export function publishedFolders() {
  return packageFolders(ROOT).filter((folder) => {
    const { private: hidden, os, files = [] } = readManifest(ROOT, folder);
    if (hidden === true) return false;
    return (
      os === undefined || files.every((/** @type {string} */ file) => existsSync(join(ROOT, folder, file)))
    );
  });
}

/**
 * Packs packages of the workspace.
 *
 * @param {readonly string[]} folders relative to the root
 * @param {string} destination a folder, which is emptied first
 * @returns {Promise<Packed[]>}
 */
export async function pack(folders, destination) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  await pnpm(["-r", ...folders.map((folder) => `--filter=./${folder}`), "pack"], destination);
  return folders.map((folder) => packedAs(join(ROOT, folder), destination));
}

/**
 * Packs a folder outside of the workspace.
 *
 * @param {string} folder
 * @param {string} destination
 * @returns {Promise<Packed>}
 */
export async function packAlone(folder, destination) {
  await pnpm(["--ignore-workspace", "-C", folder, "pack"], destination);
  return packedAs(folder, destination);
}

/**
 * @param {string[]} args
 * @param {string} destination
 */
async function pnpm(args, destination) {
  const npx = findOnPath(["npx"], process.env) ?? "npx";
  await execute(npx, ["--yes", PNPM, ...args, `--pack-destination=${destination}`], {
    cwd: ROOT,
    env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
    maxBuffer: 64 * 1024 * 1024,
  });
}

/**
 * @param {string} folder
 * @param {string} destination
 * @returns {Packed}
 */
function packedAs(folder, destination) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const tarball = join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  const contents = readTarball(tarball);
  return { name, tarball, ...contents, manifest: JSON.parse(String(contents.files.get("package.json"))) };
}
