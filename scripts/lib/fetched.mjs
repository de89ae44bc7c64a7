// Fetches tools from npm in exact versions into a folder that git ignores. npm verifies each download by the registry's
// checksum, and no install script runs.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "./process.mjs";
import { STATE_FOLDER } from "./stamps.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

const execute = promisify(execFile);

/**
 * The folder of an installed package, whose dependencies are beside it.
 *
 * @param {string} name
 * @param {string} version
 * @param {Record<string, string>} [overrides] versions of dependencies, as in a package.json
 * @returns {Promise<string>}
 */
export async function fetchPackage(name, version, overrides = {}) {
  const folder = join(ROOT, STATE_FOLDER, "tools", `${name.replace("@", "").replace("/", "-")}-${version}`);
  const installed = join(folder, "node_modules", name);
  if (existsSync(installed)) return installed;
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    writeFileSync(join(temporary, "package.json"), JSON.stringify({ private: true, overrides }));
    const npm = findOnPath(["npm"], process.env) ?? "npm";
    // A package for another platform is fetched as well.
    const how = [
      "--force",
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      `--prefix=${temporary}`,
    ];
    await execute(npm, ["install", ...how, `${name}@${version}`], {
      cwd: temporary,
      env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
      maxBuffer: 16 * 1024 * 1024,
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
    return installed;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
