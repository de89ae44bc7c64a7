// The step that compiles the packages and the examples with turbo, which only builds what changed.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expectedOutputs, orphans } from "./dist.mjs";
import { findOnPath } from "./tools.mjs";
import { hashFiles, hashSizes, listFiles, PNPM, packageFolders, readManifest } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** The addon has its own step, because it has other prerequisites. */
const NATIVE = "@mm-ptx/native";

/**
 * The folders in which the build creates `dist/`.
 *
 * @param {string} root
 */
function builtFolders(root) {
  return packageFolders(root).filter((folder) => {
    const { name, scripts = {} } = readManifest(root, folder);
    return name !== NATIVE && scripts.build !== undefined;
  });
}

/**
 * Deletes files in `dist/` whose source has been deleted.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {boolean} whether there were any
 */
function removeOrphans(root, folder) {
  const found = orphans(root, folder);
  for (const path of found) rmSync(join(root, path), { force: true });
  return found.length > 0;
}

/** Builds every `dist/`. */
export const typescriptStep = {
  name: "typescript",
  title: "compiling TypeScript",
  required: true,
  after: ["packages"],

  /** @param {Context} context */
  inputs({ root }) {
    // `src/wasm` and `bundle` are outputs of a package's build.
    const isInput = (/** @type {string} */ path) => !/\/(test|src\/wasm|bundle)\/|\.md$/.test(path);
    const own = builtFolders(root).flatMap((folder) => listFiles(root, folder, isInput));
    const shared = [
      "package.json",
      "pnpm-lock.yaml",
      "turbo.json",
      "tsconfig.base.json",
      "scripts/lib/bundle-framework.mjs",
    ];
    const others = ["native/learn", "type_descriptions"].flatMap((folder) => listFiles(root, folder));
    return hashFiles(root, [...shared, ...others, ...own]);
  },

  /** @param {Context} context */
  outputs({ root }) {
    const folders = builtFolders(root);
    // Orphans are included, so that a new one changes the outputs and the step runs and deletes it.
    const paths = folders.flatMap((folder) => [...expectedOutputs(root, folder), ...orphans(root, folder)]);
    return hashSizes(root, paths);
  },

  /** @param {Context} context */
  async work({ root, environment, run }) {
    const folders = builtFolders(root);
    for (const folder of folders) {
      const removed = removeOrphans(root, folder);
      // `tsc -b` trusts its build info, so it would not notice a file that was deleted from dist.
      if (removed || !expectedOutputs(root, folder).every((path) => existsSync(join(root, path)))) {
        for (const path of listFiles(root, `${folder}/dist`, (path) => path.endsWith(".tsbuildinfo"))) {
          rmSync(join(root, path), { force: true });
        }
      }
    }
    const npx = findOnPath(["npx"], environment) ?? "npx";
    const build = [
      "turbo",
      "run",
      "build",
      "--concurrency=2",
      `--filter=!${NATIVE}`,
      "--output-logs=errors-only",
    ];
    const { ok, output } = await run(npx, ["--yes", PNPM, "exec", ...build], root);
    if (!ok) return { problem: "the TypeScript build failed with the errors above", output };
    // Turbo may restore orphans from its cache.
    for (const folder of folders) removeOrphans(root, folder);
    return {};
  },
};
