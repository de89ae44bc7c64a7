// Installs a packed package in an empty folder outside of the workspace, with nothing but its declared
// dependencies. No registry is needed: packages of the workspace come from their tarballs, and others are
// links into the workspace.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { packageFolders, ROOT, readManifest } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

/**
 * @param {Packed} packed
 * @param {readonly Packed[]} all every packed package
 * @param {(folder: string) => Promise<string[]>} check returns problems
 * @returns {Promise<string[]>} problems
 */
export function withInstalled(packed, all, check) {
  return withAllInstalled([packed], all, check);
}

/**
 * Like `withInstalled`, with several packages in the same folder.
 *
 * @param {readonly Packed[]} wanted
 * @param {readonly Packed[]} all every packed package
 * @param {(folder: string) => Promise<string[]>} check returns problems
 * @returns {Promise<string[]>} problems
 */
export async function withAllInstalled(wanted, all, check) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mm-ptx-installed-")));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
    const problems = wanted.flatMap(({ name }) => install(name, folder, all));
    return problems.length > 0 ? problems : await check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Puts a package and its direct and indirect dependencies into `node_modules` of the folder.
 *
 * @param {string} name
 * @param {string} folder
 * @param {readonly Packed[]} all
 * @returns {string[]} problems
 */
function install(name, folder, all) {
  const target = join(folder, "node_modules", name);
  if (existsSync(target)) return [];
  const packed = all.find((one) => one.name === name);
  if (packed === undefined) return [`depends on ${name}, which is not packed`];
  for (const [path, bytes] of packed.files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), bytes, { mode: packed.executables.has(path) ? 0o755 : 0o644 });
  }
  const source = packageFolders(ROOT).find((one) => readManifest(ROOT, one).name === name) ?? "";
  const { dependencies = {}, optionalDependencies = {} } = packed.manifest;
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].flatMap((dependency) => {
    if (dependency.startsWith("@mm-ptx/")) {
      // A platform package that this machine cannot build is also missing from the workspace.
      if (dependency in optionalDependencies && !all.some((one) => one.name === dependency)) return [];
      return install(dependency, folder, all);
    }
    const link = join(folder, "node_modules", dependency);
    if (existsSync(link)) return [];
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(ROOT, source, "node_modules", dependency)), link, "dir");
    return [];
  });
}

/**
 * Puts the compiler library that a clone builds into the installed platform package. Packages do not contain it.
 *
 * @param {string} folder where @mm-ptx/cuda is installed
 * @param {string} platform
 * @param {string} library
 */
export function putCompilerBeside(folder, platform, library) {
  copyFileSync(library, join(folder, "node_modules/@mm-ptx", `cuda-${platform}`, basename(library)));
}

/**
 * The specifiers of a package's modules and of its JSON files.
 *
 * @param {Packed} packed
 */
export function specifiersOf({ name, manifest }) {
  const entries = Object.entries(manifest.exports ?? {}).map(([subpath, target]) => ({
    specifier: name + subpath.slice(1),
    file: String(typeof target === "string" ? target : target.default),
  }));
  return {
    modules: entries.filter(({ file }) => file.endsWith(".js")).map(({ specifier }) => specifier),
    json: entries.filter(({ file }) => file.endsWith(".json")).map(({ specifier }) => specifier),
  };
}
