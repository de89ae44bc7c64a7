// Checks a packed package in a folder of its own: that every entry can be imported, that the example of its README runs
// there, and that PTX can be compiled with an empty PATH.

import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { putCompilerBeside, specifiersOf, withCopies, withInstalled } from "./installed.mjs";
import { firstExample } from "./markdown.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

const execute = promisify(execFile);

/**
 * @param {Packed} packed
 * @param {readonly Packed[]} all every packed package
 * @param {string} compiler the path of the compiler library, which may be missing
 * @returns {Promise<string[]>} problems
 */
export function checkAlone(packed, all, compiler) {
  return withInstalled(packed, all, async (folder) => [
    ...(await importsFromJavaScript(packed, folder)),
    ...(await runsItsExample(packed, folder)),
    ...(packed.name === "@mm-ptx/cuda" &&
    existsSync(compiler) &&
    all.some(({ name }) => name === HOST_PACKAGE)
      ? await withCopies(packed, all, (copies) => compilesWithoutTools(copies, compiler))
      : []),
  ]);
}

const HOST = `${process.platform}-${process.arch}`;
const HOST_PACKAGE = `@mm-ptx/cuda-${HOST}`;

/**
 * @param {string} folder
 * @param {string} compiler
 */
async function compilesWithoutTools(folder, compiler) {
  putCompilerBeside(folder, HOST, compiler);
  const file = join(folder, "compile.mjs");
  writeFileSync(file, readFileSync(join(ROOT, "scripts/lib/try-compile.mjs")));
  return await run(folder, "compile.mjs", "PTX without a compiler on PATH", { args: ["isolated"], path: "" });
}

/**
 * @param {Packed} packed
 * @param {string} folder
 */
async function importsFromJavaScript(packed, folder) {
  const { modules, json } = specifiersOf(packed);
  if (modules.length + json.length === 0) return [];
  const lines = [
    'import { createRequire } from "node:module";',
    ...modules.map((specifier) => `await import(${JSON.stringify(specifier)});`),
    ...json.map((specifier) => `createRequire(import.meta.url)(${JSON.stringify(specifier)});`),
  ];
  writeFileSync(join(folder, "imports.mjs"), `${lines.join("\n")}\n`);
  return await run(folder, "imports.mjs", "import from JavaScript");
}

/**
 * @param {Packed} packed
 * @param {string} folder
 */
async function runsItsExample({ files, name, manifest }, folder) {
  const code = firstExample(String(files.get("README.md") ?? ""))?.code;
  if (code === undefined) return [];
  // An example that also uses other packages needs them installed; the README test runs it.
  const declared = [name, ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })];
  const needed = [...code.matchAll(/from "(@mm-ptx\/[a-z-]+)/g)].map(([, imported]) => imported);
  if (needed.some((one) => one !== undefined && !declared.includes(one))) return [];
  writeFileSync(join(folder, "example.mjs"), code);
  return await run(folder, "example.mjs", "the example of the README");
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {string} what
 * @param {{ args?: string[], path?: string }} [options] `path`: another PATH; UNAVAILABLE is then a failure
 */
async function run(folder, file, what, { args = [], path } = {}) {
  const ended = await execute(process.execPath, [join(folder, file), ...args], {
    // Examples name files relative to the root of the repository.
    cwd: ROOT,
    timeout: 60_000,
    env: path === undefined ? process.env : { PATH: path },
  }).catch((error) => error);
  if (ended.code === undefined) return [];
  if (path === undefined && String(ended.stderr).includes("UNAVAILABLE")) return [];
  return [
    `${what}: ${
      String(ended.stderr)
        .split("\n")
        .find((line) => /Error/.test(line)) ?? ended.message
    }`,
  ];
}
