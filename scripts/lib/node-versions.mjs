// The versions of Node that the addon is tried with, fetched as npm packages into a folder that git ignores.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./process.mjs";
import { STATE_FOLDER } from "./stamps.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

/** One version of each line that `engines` includes and that is maintained or current. */
export const NODE_VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.10.0"];

const FOLDER = join(ROOT, STATE_FOLDER, "node-versions");

/** @param {string} version */
const major = (version) => version.split(".")[0];

/** @typedef {{ version: string, node: string }} Found an executable of this version */
/** @typedef {{ version: string, problem: string }} Missing why there is none */

/**
 * The executables of all versions. That of this process stands for its own line.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<(Found | Missing)[]>}
 */
export async function findNodeVersions(signal) {
  const all = [];
  for (const version of NODE_VERSIONS) {
    all.push(
      major(version) === major(process.versions.node)
        ? { version: process.versions.node, node: process.execPath }
        : await fetchNode(version, signal),
    );
  }
  return all;
}

/**
 * Downloads the package with npm and unpacks the executable alone: the package is four times as large.
 *
 * @param {string} version
 * @param {AbortSignal} signal
 * @returns {Promise<Found | Missing>}
 */
async function fetchNode(version, signal) {
  const node = join(FOLDER, version, "node");
  if (existsSync(node)) return { version, node };
  const temporary = join(FOLDER, `unfinished-${version}`);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const options = { cwd: temporary, environment: process.env, signal };
  try {
    const name = `node-${process.platform}-${process.arch}`;
    for (const [program, ...args] of [
      ["npm", "pack", "--silent", "--fetch-retries=0", `${name}@${version}`],
      ["tar", "-xzf", `${name}-${version}.tgz`, "--strip-components=2", "package/bin/node"],
    ]) {
      const path = findOnPath([program ?? ""], process.env);
      if (path === undefined) return { version, problem: `${program} is not on PATH` };
      const { ok, output } = await run(path, args, options);
      if (!ok) return { version, problem: `${program} failed: ${output.trim().slice(-300)}` };
    }
    mkdirSync(join(FOLDER, version), { recursive: true });
    renameSync(join(temporary, "node"), node);
    return { version, node };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
