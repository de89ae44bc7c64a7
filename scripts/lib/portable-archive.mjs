// Makes the archive of `npm run portable`: Node's stripped binary, the tree, and a script that unpacks both
// and runs the tests. The target machine needs sh, tar and gzip. Node itself unpacks the tree, so the tree
// uses a better compression.

import { execFile, spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import { chmod, copyFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { copyTree } from "./portable-tree.mjs";
import { childEnvironment } from "./process.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT, readManifest } from "./workspace.mjs";

const execute = promisify(execFile);

/** Relative to the root. */
export const ARCHIVE = "out/mm-ptx-portable.tar";
/** The folder that the archive unpacks into. */
export const FOLDER = "mm-ptx-portable";

const SCRIPTS = join(ROOT, "scripts/portable");
/** Quality 5 of Brotli compresses to within 10% of the best, in a tenth of the time. */
const SMALL = { gzip: 6, brotli: 5 };
/** For archives that stay on this machine. */
const FAST = { gzip: 1, brotli: 1 };

/** @typedef {typeof SMALL} Levels */

/**
 * @param {string} archive the path of the archive
 * @param {string} native the folder of the native package, relative to the root
 * @param {{ fast: boolean }} options whether to save time rather than space
 * @returns {Promise<number>} its size in bytes
 */
export async function makeArchive(archive, native, { fast }) {
  const levels = fast ? FAST : SMALL;
  const staging = join(dirname(archive), "portable");
  rmSync(staging, { recursive: true, force: true });
  const [tree, folder] = [join(staging, "tree"), join(staging, FOLDER)];
  mkdirSync(tree, { recursive: true });
  mkdirSync(folder);
  try {
    copyTree(tree, native);
    await writeFile(join(tree, "made.json"), `${JSON.stringify(await origin())}\n`);
    await Promise.all([packNode(staging, folder, levels), packTree(tree, folder, levels)]);
    for (const name of ["run", "README.md"]) await copyFile(join(SCRIPTS, name), join(folder, name));
    await chmod(join(folder, "run"), 0o755);
    await execute("tar", ["-C", staging, "--owner=0", "--group=0", "-cf", archive, FOLDER]);
    return statSync(archive).size;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The versions of the packages and of Node in the archive, and the commit, for the report. */
async function origin() {
  const { version } = readManifest(ROOT, ".");
  const git = await execute("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT }).catch(() => undefined);
  return { version, commit: git?.stdout.trim(), node: process.versions.node };
}

/**
 * @param {string} staging
 * @param {string} folder
 * @param {Levels} levels
 */
async function packNode(staging, folder, { gzip }) {
  const node = join(staging, "node");
  const strip = findOnPath(["strip"], process.env);
  if (strip === undefined) await copyFile(process.execPath, node);
  else await execute(strip, ["-o", node, process.execPath]);
  await pipeline(
    createReadStream(node),
    createGzip({ level: gzip }),
    createWriteStream(join(folder, "node.gz")),
  );
}

/**
 * @param {string} tree
 * @param {string} folder
 * @param {Levels} levels
 */
async function packTree(tree, folder, { brotli }) {
  const tar = spawn("tar", ["-C", tree, "--owner=0", "--group=0", "--sort=name", "-cf", "-", "."], {
    env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve, reject) => {
    tar.once("error", reject);
    tar.once("close", (code) => (code === 0 ? resolve(0) : reject(new Error(`tar ended with ${code}`))));
  });
  const packed = createWriteStream(join(folder, "tree.tar.br"));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotli,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  await Promise.all([ended, pipeline(tar.stdout, createBrotliCompress({ params }), packed)]);
}
