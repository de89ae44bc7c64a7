// Tries the archive of `npm run portable` in an empty folder, with an empty home folder and only the programs
// on PATH that its README asks for.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FOLDER } from "./portable-archive.mjs";
import { findOnPath } from "./tools.mjs";

const execute = promisify(execFile);

/** The programs that the unpacking script calls. */
const TOOLS = ["sh", "uname", "dirname", "tar", "gzip", "chmod", "rm", "mkdir"];
const PATIENCE = 15 * 60_000;

/**
 * @param {string} archive
 * @returns {Promise<string[]>} problems
 */
export async function tryArchive(archive) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-portable-"));
  try {
    const bin = join(folder, "bin");
    for (const name of ["bin", "home"]) mkdirSync(join(folder, name));
    for (const tool of TOOLS) symlinkSync(findOnPath([tool], process.env) ?? tool, join(bin, tool));
    await execute("tar", ["-C", folder, "-xf", archive]);
    const ended = await execute(join(folder, FOLDER, "run"), ["--out", "report"], {
      cwd: folder,
      timeout: PATIENCE,
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: bin, HOME: join(folder, "home") },
    }).catch((error) => error);
    const missing = ["report.md", "report.json", "junit.xml"].filter(
      (name) => !existsSync(join(folder, "report", name)),
    );
    return [
      ...(ended.code === undefined ? [] : [`ended with ${ended.code}: ${lastLines(ended)}`]),
      ...missing.map((name) => `wrote no ${name}`),
      ...(missing.length === 0 ? problemsOf(join(folder, "report")) : []),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder the folder of the report */
function problemsOf(folder) {
  const { gpu, files } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  const skipped = files.reduce((/** @type {number} */ sum, /** @type {any} */ file) => sum + file.skipped, 0);
  const page = readFileSync(join(folder, "report.md"), "utf8");
  return [
    ...(files.length === 0 ? ["ran no tests"] : []),
    ...(gpu.device === undefined && skipped === 0 ? ["skipped no test where there is no GPU"] : []),
    ...(gpu.device === undefined && !page.includes("no device")
      ? ["does not say that there is no device"]
      : []),
  ];
}

/** @param {{ stdout?: string, stderr?: string }} ended */
const lastLines = ({ stdout = "", stderr = "" }) =>
  `${stdout}\n${stderr}`.trim().split("\n").slice(-5).join(" | ");
