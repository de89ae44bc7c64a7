// The step that builds the native addon and the compiler library, as native/README.md describes.

import { existsSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { locateArchive } from "./archive.mjs";
import { describeMissing } from "./tools.mjs";
import { hashFiles, hashSizes, listFiles } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** The platform package that the addon is written to, relative to the root. */
export const ADDON_FOLDER = `packages/cuda/npm/${process.platform}-${process.arch}`;

const ADDON = `${ADDON_FOLDER}/mmptx.node`;
/** The compiler library beside it; missing when there was no archive to link. */
export const LIBRARY = `${ADDON_FOLDER}/libmmptxc.so`;

/** Makes `mmptx.node`, and beside it `libmmptxc.so` when there is an archive to link. */
export const addonStep = {
  name: "addon",
  title: "building the native addon",
  required: false,

  /** @param {Context} context */
  applies: ({ root, missingForAddon }) =>
    process.platform === "linux" &&
    missingForAddon.length === 0 &&
    existsSync(join(root, "native/CMakeLists.txt")),

  /** @param {Context} context */
  inputs({ root, environment }) {
    const { archive } = locateArchive({ root, environment, machine: process.arch });
    const status = archive === undefined ? undefined : statSync(archive.library);
    const identity =
      status === undefined ? "none" : `${archive?.library} ${status.size} ${Math.floor(status.mtimeMs)}`;
    const sources = listFiles(root, "native", (path) => !/\/test\/|\.md$/.test(path));
    const target = [process.platform, process.arch, process.versions.modules, environment.CXX ?? ""];
    return hashFiles(root, ["packages/cuda/package.json", ...sources], [identity, ...target]);
  },

  /** @param {Context} context */
  outputs({ root, environment }) {
    const { archive } = locateArchive({ root, environment, machine: process.arch });
    return hashSizes(root, archive === undefined ? [ADDON] : [ADDON, LIBRARY]);
  },

  /** @param {Context & { cutOff: boolean }} context */
  async work({ root, environment, run, cutOff }) {
    const { archive } = locateArchive({ root, environment, machine: process.arch });
    // An object file that was being written when its compiler was killed looks finished to make.
    if (cutOff) rmSync(join(root, "native/build"), { recursive: true, force: true });
    if (archive === undefined) rmSync(join(root, LIBRARY), { force: true });
    const tool = join(root, "native/node_modules/cmake-js/bin/cmake-js");
    const settings = [
      `--CDMM_PTX_NVPTXCOMPILER_DIR=${archive?.folder ?? ""}`,
      `--CDMM_PTX_OUTPUT_DIR=${join(root, ADDON_FOLDER)}`,
    ];
    const place = ["-d", join(root, "native"), "-O", join(root, "native/build")];
    const build = { ...environment, CMAKE_BUILD_PARALLEL_LEVEL: `${availableParallelism()}` };
    // `build` alone would keep the settings of the first time, another archive's among them.
    const configured = await run(process.execPath, [tool, "configure", ...place, ...settings], root, build);
    const { ok, output } = configured.ok
      ? await run(process.execPath, [tool, "build", ...place, ...settings], root, build)
      : configured;
    if (!ok)
      return {
        problem: "the native addon could not be built; the lines above are the end of its build's output",
        output,
      };
    return {
      note: archive === undefined ? "without nvPTXCompiler" : `with nvPTXCompiler from ${archive.source}`,
    };
  },
};

/**
 * Why the addon is not built, when it can't be.
 *
 * @param {Context} context
 * @returns {string | undefined}
 */
export function whyNoAddon({ missingForAddon, environment }) {
  if (process.platform !== "linux")
    return `the native addon is built on Linux only, this is ${process.platform}`;
  if (missingForAddon.length === 0) return undefined;
  return `the native addon is not built: ${describeMissing(missingForAddon, environment)}`;
}
