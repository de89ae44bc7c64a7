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
/** The executable of worker processes. */
const WORKER = `${ADDON_FOLDER}/mmptx-worker`;
/** The compiler library beside it; missing if there was no archive to link. */
export const LIBRARY = `${ADDON_FOLDER}/libmmptxc.so`;

/** Where the CUDA runtime that programs load on the emulator is written to. */
const CUDART_FOLDER = `packages/emulator/npm/${process.platform}-${process.arch}`;
const CUDARTS = [12, 13].map((version) => `${CUDART_FOLDER}/libcudart.so.${version}`);

/** The platform package with the addon of models. */
const LEARN_FOLDER = `packages/learn/npm/${process.platform}-${process.arch}`;
const LEARN_ADDON = `${LEARN_FOLDER}/mmptx-learn.node`;

const BUILD_FOLDER = "native/build";
const LOAD_CHECK = "scripts/lib/load-addon.mjs";

/** Builds `mmptx.node`, and `libmmptxc.so` beside it if there is an archive to link. */
export const addonStep = {
  name: "addon",
  title: "building the native addon",
  required: false,
  after: ["packages", "archive"],

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
    const compiler = archive === undefined ? [] : [LIBRARY];
    return hashSizes(root, [ADDON, WORKER, LEARN_ADDON, ...CUDARTS, ...compiler], { times: true });
  },

  /** @param {Context & { cutOff: boolean }} context */
  async work(context) {
    const { root, environment, cutOff } = context;
    const { archive } = locateArchive({ root, environment, machine: process.arch });
    const folder = join(root, BUILD_FOLDER);
    // If a compiler was killed while it wrote an object file, make takes the file for a finished one.
    if (cutOff) rmSync(folder, { recursive: true, force: true });
    if (archive === undefined) rmSync(join(root, LIBRARY), { force: true });
    const before = existsSync(folder);
    let result = await build(context, archive);
    if (result.problem !== undefined && before) {
      // Files of an earlier build may be corrupt, or from another path or generator, which CMake rejects.
      rmSync(folder, { recursive: true, force: true });
      result = await build(context, archive);
    }
    return result;
  },
};

/**
 * Configures and builds, and tests that the result can be loaded.
 *
 * @param {Context} context
 * @param {import("./archive.mjs").Archive | undefined} archive
 * @returns {Promise<{ problem?: string, output?: string, note?: string }>}
 */
async function build({ root, environment, run }, archive) {
  const settings = [
    `--CDMM_PTX_NVPTXCOMPILER_DIR=${archive?.folder ?? ""}`,
    `--CDMM_PTX_OUTPUT_DIR=${join(root, ADDON_FOLDER)}`,
    `--CDMM_PTX_CUDART_OUTPUT_DIR=${join(root, CUDART_FOLDER)}`,
    `--CDMM_PTX_LEARN_OUTPUT_DIR=${join(root, LEARN_FOLDER)}`,
  ];
  const place = ["-d", join(root, "native"), "-O", join(root, BUILD_FOLDER)];
  const variables = { ...environment, CMAKE_BUILD_PARALLEL_LEVEL: `${availableParallelism()}` };
  const tool = join(root, "native/node_modules/cmake-js/bin/cmake-js");
  // `build` alone would keep the settings of an earlier build, such as the path of another archive.
  for (const step of ["configure", "build"]) {
    const { ok, output } = await run(process.execPath, [tool, step, ...place, ...settings], root, variables);
    if (!ok)
      return {
        problem: "the native addon could not be built; the lines above are the end of its build's output",
        output,
      };
  }
  const made = (archive === undefined ? [ADDON] : [ADDON, LIBRARY]).map((path) => join(root, path));
  const { ok, output } = await run(process.execPath, [join(root, LOAD_CHECK), ...made], root);
  if (!ok) {
    // Remove the files, so that they are not mistaken for a working addon that was built earlier.
    for (const path of made) rmSync(path, { force: true });
    return { problem: "the native addon was built but can't be loaded", output };
  }
  return {
    note: archive === undefined ? "without nvPTXCompiler" : `with nvPTXCompiler from ${archive.source}`,
  };
}

/**
 * The reason if the addon cannot be built on this machine.
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
