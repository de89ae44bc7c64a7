// Installs a packed package in an empty folder outside of the workspace, with nothing but its declared
// dependencies. No registry is needed: packages of the workspace come from their tarballs, and others are
// links into the workspace. As with pnpm, each package is unpacked once, into a store, and finds what it declares alone.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { packageFolders, ROOT, readManifest } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

/** The folders of unpacked packages, which are removed when this process ends. @type {Map<Packed, string>} */
const unpacked = new Map();

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
    const problems = wanted.flatMap(({ name }) =>
      install(name, join(folder, "node_modules"), all, new Set()),
    );
    return problems.length > 0 ? problems : await check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Like `withInstalled`, with copies of our packages, which the check may change: each package finds every other.
 *
 * @param {Packed} packed
 * @param {readonly Packed[]} all every packed package
 * @param {(folder: string) => Promise<string[]>} check returns problems
 * @returns {Promise<string[]>} problems
 */
export function withCopies(packed, all, check) {
  return withInstalled(packed, all, async (folder) => {
    const scope = join(folder, "node_modules/@mm-ptx");
    for (const name of readdirSync(scope)) {
      const place = join(scope, name);
      const from = realpathSync(place);
      rmSync(place);
      cpSync(from, place, { recursive: true });
    }
    return await check(folder);
  });
}

/**
 * Links a package and its direct and indirect dependencies into a `node_modules` folder.
 *
 * @param {string} name
 * @param {string} modules
 * @param {readonly Packed[]} all
 * @param {Set<string>} seen the names of those that are linked
 * @returns {string[]} problems
 */
function install(name, modules, all, seen) {
  if (seen.has(name)) return [];
  seen.add(name);
  const packed = all.find((one) => one.name === name);
  if (packed === undefined) return [`depends on ${name}, which is not packed`];
  const own = unpack(packed);
  link(join(own, name), join(modules, name));
  const source = packageFolders(ROOT).find((one) => readManifest(ROOT, one).name === name) ?? "";
  const { dependencies = {}, optionalDependencies = {} } = packed.manifest;
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].flatMap((dependency) => {
    if (dependency.startsWith("@mm-ptx/")) {
      const found = all.find((one) => one.name === dependency);
      // A platform package that this machine cannot build is also missing from the workspace.
      if (dependency in optionalDependencies && found === undefined) return [];
      if (found !== undefined) link(join(unpack(found), dependency), join(own, dependency));
      return install(dependency, modules, all, seen);
    }
    const target = realpathSync(join(ROOT, source, "node_modules", dependency));
    for (const place of [own, modules]) link(target, join(place, dependency));
    return [];
  });
}

/**
 * @param {Packed} packed
 * @returns {string} the `node_modules` folder that has the package, and links to what it declares
 */
function unpack(packed) {
  const known = unpacked.get(packed);
  if (known !== undefined) return known;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mm-ptx-unpacked-")));
  if (unpacked.size === 0) process.once("exit", removeUnpacked);
  const modules = join(folder, "node_modules");
  unpacked.set(packed, modules);
  const made = new Set();
  for (const [path, bytes] of packed.files) {
    const target = join(modules, packed.name, path);
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(target));
    writeFileSync(target, bytes, { mode: packed.executables.has(path) ? 0o755 : 0o644 });
  }
  return modules;
}

function removeUnpacked() {
  for (const modules of unpacked.values()) rmSync(dirname(modules), { recursive: true, force: true });
}

/**
 * @param {string} target
 * @param {string} place
 */
function link(target, place) {
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place, "dir");
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
