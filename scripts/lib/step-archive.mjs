// The step that fetches the nvPTXCompiler archive if the machine has none; also fetches archives of other
// platforms.

import { ARCHIVE_FOLDER, ARCHIVE_VERSION, archiveIn, locateArchive, realFiles } from "./archive.mjs";
import { fetchWheel, fitsHere } from "./wheel.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** @type {import("./wheel.mjs").Wheel} */
const WHEEL = {
  title: "nvPTXCompiler",
  project: "nvidia-nvptxcompiler",
  version: ARCHIVE_VERSION,
  hashes: {
    "linux-x64": "7579fc2d9928030ee45626694a9062e02a691594c481bf2bbd46cdd090b33fa3",
    "linux-arm64": "d2a0105fe387448725934437e42b0d490467f3946e984d4daa333a4909113399",
    "win32-x64": "b02af02c80d6ddcda953715f90f1018ba07280b13f78ebbce94bd331c4ef1570",
  },
  inside: "",
  folder: ARCHIVE_FOLDER,
  problem: (folder) =>
    archiveIn(`${folder}/nvidia/cu13`, process.arch, realFiles) === undefined
      ? "nvPTXCompiler.h and its static library, found neither together"
      : undefined,
  advice: "check the network, or name a folder that holds it in MM_PTX_NVPTXCOMPILER_DIR",
};

/** Creates `.deps/nvptxcompiler-…`, unless another archive takes precedence. */
export const archiveStep = {
  name: "archive",
  title: `fetching nvPTXCompiler ${ARCHIVE_VERSION}`,
  required: false,
  after: [],

  // The archive is a large download, and useless without a compiler that links it.
  applies: (/** @type {Context} */ { missingForAddon }) =>
    process.platform === "linux" && missingForAddon.length === 0 && fitsHere(WHEEL),

  // An existing archive is enough, wherever it was found.
  current: (/** @type {Context} */ { root, environment }) =>
    locateArchive({ root, environment, machine: process.arch }).archive !== undefined,

  work: (/** @type {Context} */ context) => fetchWheel(WHEEL, context),
};

/**
 * Fetches the archive of a platform.
 *
 * @param {Context} context
 * @param {string} platform
 * @param {string} folder relative to the root
 */
export const fetchArchive = (context, platform, folder) =>
  fetchWheel({ ...WHEEL, folder }, context, platform);
