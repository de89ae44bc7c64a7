// The code of others in and beside published packages: what platform packages are linked with, as their LICENSE.md says, and
// the packages that ours depend on, as they are installed here.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ZIG_VERSION } from "./step-zig.mjs";
import { packageFolders, ROOT, readManifest } from "./workspace.mjs";

/** @typedef {import("./spdx.mjs").Component} Component */
/** @typedef {import("./pack.mjs").Packed} Packed */

/** @param {string} folder @param {string} name @returns {Component} */
function installed(folder, name) {
  const file = join(ROOT, folder, "node_modules", name, "package.json");
  const { version, license } = JSON.parse(readFileSync(file, "utf8"));
  return { name, version, license: String(license), origin: "npm" };
}

/**
 * A dependency as it is installed for a package of the workspace.
 *
 * @param {string} dependency
 * @param {string} dependent
 */
export function componentOf(dependency, dependent) {
  const folder = packageFolders(ROOT).find(
    (one) =>
      readManifest(ROOT, one).name === dependent &&
      existsSync(join(ROOT, one, "node_modules", dependency, "package.json")),
  );
  if (folder === undefined)
    throw new Error(`expected ${dependency} to be installed for ${dependent}, found none`);
  return installed(folder, dependency);
}

/** Zig brings the C++ library and the start-up code that it links. */
const WITH_ZIG = "https://ziglang.org/download";

/**
 * @param {Packed} packed
 * @returns {Component[]}
 */
export function linkedWith({ name, manifest }) {
  if (manifest.os === undefined) return [];
  const version = `of Zig ${ZIG_VERSION}`;
  return [
    // The addon of models is in C.
    ...(name.startsWith("@mm-ptx/learn-")
      ? []
      : [{ name: "LLVM libc++", version, license: "Apache-2.0 WITH LLVM-exception", origin: WITH_ZIG }]),
    { name: "Zig run-time code", version, license: "MIT", origin: WITH_ZIG },
    ...(manifest.os.includes("win32")
      ? [{ name: "mingw-w64", version, license: "ZPL-2.1", origin: WITH_ZIG }]
      : []),
    ...(name.startsWith("@mm-ptx/cuda-") ? [installed("native", "node-addon-api")] : []),
  ];
}
