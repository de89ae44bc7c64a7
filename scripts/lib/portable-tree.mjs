// The part of the checkout that `npm run portable` includes: sources, tests and benchmarks, their build
// outputs, and the part of node_modules that they load at run time.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { listFiles, packageFolders, ROOT, readManifest } from "./workspace.mjs";

/** Sources that are not needed at run time. */
const LEFT_BEHIND = /^(docs\/pictures|native|\.ci|packages\/cuda\/npm)\//;
/** The packages that run tests, and the one that the sources of command lines import. */
const TEST_TOOLS = ["vitest", "fast-check", "@mm-ptx/cli"];
/**
 * Packages that vitest only loads for style sheets, other configurations and older plugins; and packages of
 * types.
 */
const UNUSED_TOOLS = /^(esbuild|lightningcss|jiti|yaml|@types\/.*)$/;
/**
 * Files that are left out. Vitest reads the source maps of the workspace, but not those of other packages.
 */
const UNUSED_FILES = /\.(d\.[cm]?ts(\.map)?|tsbuildinfo)$|\/\.pnpm\/.*\.map$/;

/**
 * Copies that part of the checkout.
 *
 * @param {string} tree an empty folder
 * @param {string} native the folder of the native package, relative to the root
 */
export function copyTree(tree, native) {
  const take = (/** @type {string} */ from, /** @type {string} */ to = from) =>
    cpSync(join(ROOT, from), join(tree, to), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !UNUSED_FILES.test(path),
    });
  for (const file of listFiles(ROOT, ".", (path) => !LEFT_BEHIND.test(path))) take(file);
  take(native, "packages/cuda/npm/linux-x64");
  const copied = new Set();
  for (const tool of TEST_TOOLS) copyLinked(`node_modules/${tool}`, tree, copied, take);
  for (const folder of packageFolders(ROOT)) {
    if (!existsSync(join(tree, folder))) continue;
    if (existsSync(join(ROOT, folder, "dist"))) take(`${folder}/dist`);
    const { dependencies, optionalDependencies } = readManifest(ROOT, folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const link = `${folder}/node_modules/${name}`;
      if (existsSync(join(ROOT, link))) copyLinked(link, tree, copied, take);
    }
  }
}

/**
 * Copies a package of node_modules with its dependencies, to which pnpm puts links beside the package.
 *
 * @param {string} link relative to the root
 * @param {string} tree
 * @param {Set<string>} copied
 * @param {(folder: string) => void} take
 */
function copyLinked(link, tree, copied, take) {
  const [source, target] = [join(ROOT, link), join(tree, link)];
  if (existsSync(dirname(target)) && readdirSync(dirname(target)).includes(link.split("/").at(-1) ?? ""))
    return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(readlinkSync(source), target);
  const folder = relative(ROOT, realpathSync(source));
  if (!folder.includes("/.pnpm/") || copied.has(folder)) return;
  copied.add(folder);
  take(folder);
  const beside = folder.slice(0, folder.lastIndexOf("/node_modules/") + "/node_modules".length);
  for (const name of namesIn(join(ROOT, beside))) {
    const other = `${beside}/${name}`;
    if (UNUSED_TOOLS.test(name) || !lstatSync(join(ROOT, other)).isSymbolicLink()) continue;
    copyLinked(other, tree, copied, take);
  }
}

/**
 * The packages in a folder `node_modules`.
 *
 * @param {string} folder
 */
function namesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith(".")) return [];
    return name.startsWith("@") ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name];
  });
}
