// The steps that build one platform package as it is published: they fetch NVIDIA's archive for that
// platform, and build the binaries beside the other files of the package.

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ARCHIVE_FOLDER, ARCHIVE_VERSION } from "./archive.mjs";
import { fetchArchive } from "./step-archive.mjs";
import { ZIG } from "./step-zig.mjs";
import { findProgram } from "./tools.mjs";
import { hashSizes, readManifest } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** The platforms that have packages. */
export const RELEASE_PLATFORMS = /** @type {const} */ (["linux-x64", "linux-arm64", "win32-x64"]);

/** @typedef {typeof RELEASE_PLATFORMS[number]} ReleasePlatform */

/**
 * The folder in which the package of a platform is assembled, relative to the root.
 *
 * @param {ReleasePlatform} platform
 */
export const releaseFolder = (platform) => `out/release/${platform}`;

/**
 * The compiler library in that folder. It contains NVIDIA's compiler and is therefore never packed: it is for archives and
 * tests on machines of one's own.
 *
 * @param {ReleasePlatform} platform
 */
export const compilerLibrary = (platform) => (platform.startsWith("win32") ? "mmptxc.dll" : "libmmptxc.so");

/**
 * The folder for the package with the emulator's CUDA runtime; undefined on platforms that have none.
 *
 * @param {ReleasePlatform} platform
 */
export const cudartFolder = (platform) =>
  platform.startsWith("linux") ? `out/release/emulator-${platform}` : undefined;

/**
 * The folder for the package with the addon of models.
 *
 * @param {ReleasePlatform} platform
 */
export const learnFolder = (platform) => `out/release/learn-${platform}`;

/**
 * @param {ReleasePlatform} platform
 * @returns {import("./steps.mjs").Step[]}
 */
export function releaseSteps(platform) {
  const source = `packages/cuda/npm/${platform}`;
  const archive = archiveFolder(platform);
  return [
    {
      name: `archive-${platform}`,
      title: `fetching nvPTXCompiler ${ARCHIVE_VERSION} for ${platform}`,
      required: true,
      current: (/** @type {Context} */ { root }) => existsSync(join(root, archive)),
      work: (/** @type {Context} */ context) => fetchArchive(context, platform, archive),
    },
    {
      name: `release-${platform}`,
      title: `building for ${platform}`,
      required: true,

      outputs: (/** @type {Context} */ { root }) =>
        hashSizes(root, [
          ...[...readManifest(root, source).files, compilerLibrary(platform)].map(
            (/** @type {string} */ file) => `${releaseFolder(platform)}/${file}`,
          ),
          `${learnFolder(platform)}/mmptx-learn.node`,
        ]),

      /** @param {Context} context */
      async work({ root, environment, run }) {
        const folder = join(root, releaseFolder(platform));
        const runtime = cudartFolder(platform);
        const models = join(root, learnFolder(platform));
        copyDocuments(join(root, source), folder);
        copyDocuments(join(root, `packages/learn/npm/${platform}`), models);
        if (runtime !== undefined)
          copyDocuments(join(root, `packages/emulator/npm/${platform}`), join(root, runtime));
        const cmake = findProgram("cmake", environment) ?? "cmake";
        const caches = join(root, "out/native/zig-cache");
        const variables = { ...environment, ZIG_GLOBAL_CACHE_DIR: caches, ZIG_LOCAL_CACHE_DIR: caches };
        const settings = [
          `-DMM_PTX_ZIG=${join(root, ZIG)}`,
          `-DMM_PTX_NVPTXCOMPILER_DIR=${join(root, archive, "nvidia/cu13")}`,
          `-DMM_PTX_OUTPUT_DIR=${folder}`,
          `-DMM_PTX_LEARN_OUTPUT_DIR=${models}`,
          ...(runtime === undefined ? [] : [`-DMM_PTX_CUDART_OUTPUT_DIR=${join(root, runtime)}`]),
        ];
        const preset = `release-${platform}`;
        for (const args of [
          ["--preset", preset, ...settings],
          ["--build", "--preset", preset, "--parallel", `${availableParallelism()}`],
        ]) {
          const { ok, output } = await run(cmake, args, join(root, "native"), variables);
          if (!ok) return { problem: `the native part could not be built for ${platform}`, output };
        }
        return {};
      },
    },
  ];
}

/** @param {ReleasePlatform} platform */
function archiveFolder(platform) {
  const own = platform === `${process.platform}-${process.arch}`;
  return own ? ARCHIVE_FOLDER : `${ARCHIVE_FOLDER}-${platform}`;
}

/**
 * Copies the files of a platform package that are not built.
 *
 * @param {string} from
 * @param {string} to
 */
function copyDocuments(from, to) {
  mkdirSync(to, { recursive: true });
  for (const file of ["package.json", "README.md", "LICENSE.md"])
    copyFileSync(join(from, file), join(to, file));
}
