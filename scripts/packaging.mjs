// Packs every published package and checks what a user would install: publint and are-the-types-wrong find no
// problems, all imports are declared and all exports are packed, the package works alone in an empty folder and
// in a browser, the oldest supported TypeScript reads the declarations, and binaries export and need what they should. `npm run packaging` prints the problems; the
// machine-readable report is a list of { package, check, problems }.

import { readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { checkAlone } from "./lib/check-alone.mjs";
import { checkBinaries } from "./lib/check-binaries.mjs";
import { checkBrowser } from "./lib/check-browser.mjs";
import { checkDeclarations } from "./lib/check-types.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { sourceOf } from "./lib/dist.mjs";
import { relativeLinks } from "./lib/markdown.mjs";
import { pack, publishedFolders } from "./lib/pack.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { LIBRARY } from "./lib/step-addon.mjs";
import { packageFolders, ROOT, readManifest } from "./lib/workspace.mjs";

const TARBALLS = join(ROOT, "out/packages");

/** The packages that the build bundles into published ones. */
const UNPUBLISHED = packageFolders(ROOT)
  .filter((folder) => folder.startsWith("packages/") && readManifest(ROOT, folder).private === true)
  .map((folder) => readManifest(ROOT, folder).name);

/** @typedef {{ package: string, check: string, problems: string[] }} Finding */
/** @typedef {import("./lib/pack.mjs").Packed} Packed */

/**
 * The files that the exports name, by subpath.
 *
 * @param {Packed} packed
 * @returns {[string, string][]}
 */
function exportedFiles({ manifest }) {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
    Object.values(typeof target === "string" ? { target } : target).map(
      (file) => /** @type {[string, string]} */ ([subpath, String(file).replace(/^\.\//, "")]),
    ),
  );
}

/** @param {Packed} packed */
async function checkPublint({ tarball }) {
  const { publint } = await import("publint");
  const { formatMessage } = await import("publint/utils");
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
    level: "warning",
  });
  return messages.map(
    (message) => formatMessage(message, /** @type {any} */ (pkg), { color: false }) ?? message.code,
  );
}

/** @param {Packed} packed */
async function checkTypes(packed) {
  // Every package is ESM alone, so only resolutions that find ESM count.
  const modules = exportedFiles(packed).filter(([, file]) => file.endsWith(".js"));
  if (modules.length === 0) return [];
  const others = exportedFiles(packed).flatMap(([subpath, file]) =>
    /\.(js|d\.ts)$/.test(file) ? [] : [subpath],
  );
  const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)), {
    excludeEntrypoints: others,
  });
  if (!("problems" in analysis)) return ["expected types, found none"];
  return analysis.problems
    .filter((one) => !("resolutionKind" in one && ["node10", "node16-cjs"].includes(one.resolutionKind)))
    .map((one) => {
      const { entrypoint = "", fileName = "", resolutionKind = "" } = /** @type {any} */ (one);
      return `${one.kind}: ${entrypoint || fileName} ${resolutionKind}`;
    });
}

/** @param {Packed} packed */
async function checkImports({ name, files, manifest }) {
  const { default: ts } = await import("typescript");
  const declared = new Set([
    name,
    ...Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }),
  ]);
  const problems = [];
  for (const [path, bytes] of files) {
    if (!/^dist\/.*\.(js|d\.ts)$/.test(path)) continue;
    for (const { fileName } of ts.preProcessFile(bytes.toString("utf8"), true, true).importedFiles) {
      if (/^(\.|node:)/.test(fileName) || builtinModules.includes(fileName)) continue;
      const imported = fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/");
      if (!declared.has(imported)) problems.push(`${path} imports ${fileName}, which is not declared`);
    }
  }
  return problems;
}

/** @param {Packed} packed */
async function checkFiles(packed) {
  const { files, manifest } = packed;
  const problems = exportedFiles(packed)
    .filter(([, file]) => !files.has(file))
    .map(([subpath, file]) => `exports ${subpath} as ${file}, which is not packed`);
  for (const path of files.keys()) {
    const source = sourceOf(path);
    if (source !== undefined && !files.has(source)) problems.push(`packs ${path}, whose source is gone`);
  }
  for (const wanted of ["license", "description", "engines"]) {
    if (manifest[wanted] === undefined && !(wanted === "engines" && manifest.os))
      problems.push(`has no ${wanted}`);
  }
  for (const [dependency, version] of Object.entries({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
  })) {
    if (String(version).startsWith("workspace:")) problems.push(`depends on ${dependency} ${version}`);
  }
  for (const [path, bytes] of files) {
    if (!/^package\.json$|\.(js|d\.ts)$/.test(path)) continue;
    for (const hidden of UNPUBLISHED.filter((one) => bytes.includes(`"${one}"`))) {
      problems.push(`${path} names ${hidden}, which is not published`);
    }
  }
  // A registry shows the README without the repository.
  const readme = files.get("README.md");
  if (readme === undefined) problems.push("packs no README.md");
  for (const target of relativeLinks(String(readme)))
    problems.push(`README.md links to ${target}, which leads nowhere in a registry`);
  for (const script of ["preinstall", "install", "postinstall"]) {
    if (manifest.scripts?.[script] !== undefined) problems.push(`has an ${script} script`);
  }
  return problems;
}

/** @type {Record<string, (packed: Packed, all: readonly Packed[]) => string[] | Promise<string[]>>} */
const CHECKS = {
  publint: checkPublint,
  types: checkTypes,
  imports: checkImports,
  files: checkFiles,
  binaries: (packed) => (packed.manifest.os === undefined ? [] : checkBinaries(packed, { published: false })),
  alone: (packed, all) => checkAlone(packed, all, join(ROOT, LIBRARY)),
  browser: checkBrowser,
};

await setUpOrExit();
rmSync(join(ROOT, REPORTS, "packaging.json"), { force: true });
/** @type {Finding[]} */
const findings = [];
const all = await pack(publishedFolders(), TARBALLS);
/** @param {Finding} finding */
function add(finding) {
  findings.push(finding);
  for (const problem of finding.problems) say(`${finding.package}: ${finding.check}: ${problem}`);
}
for (const packed of all) {
  for (const [check, run] of Object.entries(CHECKS)) {
    add({ package: packed.name, check, problems: await run(packed, all) });
  }
}
for (const [check, problems] of await checkDeclarations(all)) {
  add({ package: "all packages", check, problems });
}
rmSync(TARBALLS, { recursive: true, force: true });
writeWhole(join(ROOT, REPORTS, "packaging.json"), `${JSON.stringify(findings, null, 2)}\n`);
const wrong = findings.filter(({ problems }) => problems.length > 0).length;
say(`packaging: ${findings.length - wrong} checks passed, ${wrong} failed`);
process.exitCode = wrong > 0 ? 1 : 0;
