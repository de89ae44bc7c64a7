// The step that installs the packages in the lock file.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "./tools.mjs";
import { hashFiles, PNPM, packageFolders, readManifest } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** Makes node_modules match the lock file. */
export const packagesStep = {
  name: "packages",
  title: "installing packages",
  required: true,
  after: [],

  /** @param {Context} context */
  inputs({ root }) {
    const manifests = packageFolders(root).map((folder) => `${folder}/package.json`);
    const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ...manifests];
    return hashFiles(root, files, [PNPM, process.platform, process.arch]);
  },

  /**
   * Checks that every direct dependency exists, because a node_modules folder may have been deleted.
   *
   * @param {Context} context
   */
  outputs({ root }) {
    const present = [".", ...packageFolders(root)].every((folder) => {
      const { dependencies = {}, devDependencies = {} } = readManifest(root, folder);
      return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
        existsSync(join(root, folder, "node_modules", name, "package.json")),
      );
    });
    return present ? "present" : undefined;
  },

  /** @param {Context} context */
  async work({ root, environment, run }) {
    const npx = findOnPath(["npx"], environment);
    if (npx === undefined) {
      return {
        problem:
          "npx, which comes with npm, is not on PATH: install npm, for example with Node from https://nodejs.org",
      };
    }
    const { ok, output } = await run(
      npx,
      ["--yes", PNPM, "install", "--frozen-lockfile", "--prefer-offline"],
      root,
    );
    if (ok) return {};
    return {
      problem: "the packages could not be installed; check the network and run `npm run setup` again",
      output,
    };
  },
};
