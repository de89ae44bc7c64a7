// The step that compiles the packages and the examples through turbo, which builds only what changed.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "./tools.mjs";
import { hashFiles, hashSizes, listFiles, PNPM, packageFolders, readManifest } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** The addon has a step of its own, with its own prerequisites. */
const NATIVE = "@mm-ptx/native";

/**
 * The folders that the build makes a `dist/` in.
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
 * The files that a folder's TypeScript sources become.
 *
 * @param {string} root
 * @param {string} folder
 */
function expectedOutputs(root, folder) {
  const sources = listFiles(root, `${folder}/src`, (path) => /(?<!\.d)\.ts$/.test(path));
  return sources.map((path) => path.replace(`${folder}/src/`, `${folder}/dist/`).replace(/\.ts$/, ".js"));
}

/** Makes every `dist/`. */
export const typescriptStep = {
  name: "typescript",
  title: "compiling TypeScript",
  required: true,

  /** @param {Context} context */
  inputs({ root }) {
    // `src/wasm` is what the build of a package makes of its `assembly`.
    const isInput = (/** @type {string} */ path) => !/\/test\/|\/src\/wasm\/|\.md$/.test(path);
    const own = builtFolders(root).flatMap((folder) => listFiles(root, folder, isInput));
    const shared = ["package.json", "pnpm-lock.yaml", "turbo.json", "tsconfig.base.json"];
    return hashFiles(root, [...shared, ...listFiles(root, "type_descriptions"), ...own]);
  },

  /** @param {Context} context */
  outputs({ root }) {
    return hashSizes(
      root,
      builtFolders(root).flatMap((folder) => expectedOutputs(root, folder)),
    );
  },

  /** @param {Context} context */
  async work({ root, environment, run }) {
    for (const folder of builtFolders(root)) {
      // `tsc -b` believes its build info, so it would not notice that a file of dist was deleted.
      if (!expectedOutputs(root, folder).every((path) => existsSync(join(root, path)))) {
        rmSync(join(root, folder, "dist/tsconfig.tsbuildinfo"), { force: true });
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
    return ok ? {} : { problem: "the TypeScript build failed with the errors above", output };
  },
};
