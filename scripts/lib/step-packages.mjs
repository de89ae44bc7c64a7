// The step that installs the workspace's packages, exactly as the lock file has them.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "./tools.mjs";
import { hashFiles, PNPM, packageFolders, readManifest } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** Makes node_modules what the lock file says. */
export const packagesStep = {
  name: "packages",
  title: "installing packages",
  required: true,

  /** @param {Context} context */
  inputs({ root }) {
    const manifests = packageFolders(root).map((folder) => `${folder}/package.json`);
    const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ...manifests];
    return hashFiles(root, files, [PNPM, process.platform, process.arch]);
  },

  /**
   * Whether every direct dependency really is there; somebody may have deleted a node_modules folder.
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
