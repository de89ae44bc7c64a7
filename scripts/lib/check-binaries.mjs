// Checks a packed platform package: its binaries export the intended names and no others, need only system
// libraries and no newer C library than its README says, and contain nothing of NVIDIA's compiler; and the tarball
// stays below its size limit.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { say } from "./console.mjs";
import { ROOT } from "./workspace.mjs";

const execute = promisify(execFile);

/** @typedef {import("./pack.mjs").Packed} Packed */

const MOST_BYTES = 2_000_000;

/** Libraries of every Linux with glibc or every Windows 10, and Node itself. */
const SYSTEM_LIBRARIES =
  /^(lib(c|m)\.so\.6|lib(pthread|rt)\.so\.[01]|libdl\.so\.2|ld-linux-[a-z0-9-]+\.so\.[0-9]|KERNEL32\.dll|api-ms-win-crt-[a-z]+-l1-1-0\.dll|NODE\.EXE)$/;

/** The version script with the exports of each module. The exports of executables do not matter. */
const EXPORTS = /** @type {Record<string, string>} */ ({
  "mmptx.node": "native/addon/exports.map",
  "mmptx-learn.node": "native/addon/exports.map",
  "libcudart.so.12": "native/cudart/exports_12.map",
  "libcudart.so.13": "native/cudart/exports_13.map",
});

/** Text that nvPTXCompiler writes into each cubin, and therefore contains. */
const COMPILER_TEXT = "Cuda compilation tools, release ";

/**
 * @param {Packed} packed
 * @param {{ published: boolean }} options `published`: built as a release, not only for the machine that
 * built it
 * @returns {Promise<string[]>} problems
 */
export async function checkBinaries({ files, executables, manifest, tarball }, { published }) {
  const problems = [];
  const bytes = statSync(tarball).size;
  if (bytes > MOST_BYTES) problems.push(`expected at most ${MOST_BYTES} bytes packed, found ${bytes}`);
  const holding = manifest.files.filter((/** @type {string} */ file) =>
    files.get(file)?.includes(COMPILER_TEXT),
  );
  if (holding.length > 0)
    problems.push(`expected nothing of NVIDIA's compiler, found it in ${holding.join(" and ")}`);
  if (!files.has("LICENSE.md")) problems.push("packs no LICENSE.md");
  const onLinux = manifest.os.includes("linux");
  if (manifest.files.includes("mmptx-worker") && !executables.has("mmptx-worker"))
    problems.push("packs mmptx-worker without permission to execute it");

  const promised = /glibc (\d+\.\d+)/.exec(String(files.get("README.md")))?.[1] ?? "";
  if (onLinux && !manifest.description.includes(`glibc ${promised} `)) {
    problems.push(`expected README and description to name one glibc, found others`);
  }
  const sizes = [];
  let needed = "0";
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-binaries-"));
  try {
    for (const file of manifest.files) {
      const path = join(folder, file);
      writeFileSync(path, files.get(file) ?? "");
      const found = await (onLinux ? inspectElf : inspectWindows)(path);
      sizes.push(`${file} ${megabytes(statSync(path).size)}`);
      problems.push(...problemsOf(file, found));
      if (newer(found.glibc, needed)) needed = found.glibc;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (onLinux && published && newer(needed, promised)) {
    problems.push(`expected to need glibc ${promised} at most, as its README says, found ${needed}`);
  }
  const needs = onLinux ? `, needs glibc ${needed}` : "";
  say(`${manifest.name}: ${megabytes(bytes)} packed (${sizes.join(", ")})${needs}`);
  return problems;
}

/** @typedef {{ exports: string[], libraries: string[], glibc: string, stripped: boolean }} Inspected */

/**
 * @param {string} path
 * @returns {Promise<Inspected>}
 */
async function inspectElf(path) {
  const args = ["--wide", "--dynamic", "--dyn-syms", "--version-info", "--section-headers", path];
  const { stdout } = await execute("readelf", args, { maxBuffer: 64 * 1024 * 1024 });
  const versions = [...stdout.matchAll(/Name: GLIBC_([0-9.]+)/g)].map(([, version]) => String(version));
  return {
    // 17: 0000000000023730    93 FUNC    GLOBAL DEFAULT   11 name@@VERSION
    exports: [
      ...stdout.matchAll(/^ +\d+: [0-9a-f]+ +\d+ \w+ +(?:GLOBAL|WEAK|UNIQUE) +DEFAULT +\d+ ([^@\s]+)/gm),
    ].map(([, name]) => String(name)),
    libraries: [...stdout.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => String(name)),
    glibc: versions.reduce((most, version) => (newer(version, most) ? version : most), "0"),
    stripped: !/ \.symtab /.test(stdout),
  };
}

/**
 * @param {string} path
 * @returns {Promise<Inspected>}
 */
async function inspectWindows(path) {
  const { stdout } = await execute("objdump", ["-p", "-t", path], { maxBuffer: 64 * 1024 * 1024 });
  const [, names = ""] = /\[Ordinal\/Name Pointer\] Table\n((?:\s+\[ *\d+\].*\n)*)/.exec(stdout) ?? [];
  return {
    exports: [...names.matchAll(/\] (\S+)$/gm)].map(([, name]) => String(name)),
    libraries: [...stdout.matchAll(/DLL Name: (.+)/g)].map(([, name]) => String(name)),
    glibc: "0",
    stripped: stdout.includes("no symbols"),
  };
}

/**
 * @param {string} file
 * @param {Inspected} found
 */
function problemsOf(file, { exports, libraries, stripped }) {
  const problems = [];
  if (!stripped) problems.push(`${file} is not stripped`);
  for (const library of libraries) {
    if (!SYSTEM_LIBRARIES.test(library)) problems.push(`${file} needs ${library}`);
  }
  const map = EXPORTS[file];
  if (map === undefined) return problems;
  const meant = namesIn(readFileSync(join(ROOT, map), "utf8"));
  for (const name of exports) {
    if (!meant.some((pattern) => pattern.test(name))) problems.push(`${file} shows ${name}`);
  }
  for (const pattern of meant) {
    if (!exports.some((name) => pattern.test(name))) problems.push(`${file} lacks ${pattern.source}`);
  }
  return problems;
}

/**
 * The global names of a version script, as patterns.
 *
 * @param {string} script
 */
function namesIn(script) {
  const [, names = ""] = /global:([^:]*)local:/.exec(script) ?? [];
  return [...names.matchAll(/[\w*]+/g)].map(([name]) => new RegExp(`^${name.replace("*", "\\w+")}$`));
}

/**
 * @param {string} one
 * @param {string} other
 */
function newer(one, other) {
  return one.localeCompare(other, "en", { numeric: true }) > 0;
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
