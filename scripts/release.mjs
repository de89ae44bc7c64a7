// `npm run release [-- PLATFORM… | --all] [--dry-run | --publish]`: builds platform packages as they are published, packs all
// packages, and checks the tarballs in `out/release/packages`; those for other platforms are in folders below it. Without
// platforms, it is that of this machine. `--dry-run` publishes them to a registry on this machine and installs them from there.
// `--publish` publishes them if all checks pass. The machine-readable report is a list of { package, check, problems }.

import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildReleaseOrExit, HOST } from "./lib/build-release.mjs";
import { checkAlone } from "./lib/check-alone.mjs";
import { checkBinaries } from "./lib/check-binaries.mjs";
import { checkEmulated } from "./lib/check-emulated.mjs";
import { checkFirstProjects } from "./lib/check-first-project.mjs";
import { checkManagers, checkPlatform } from "./lib/check-installs.mjs";
import { checkReadme } from "./lib/check-readme.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { missingEmulator } from "./lib/emulators.mjs";
import { componentOf, linkedWith } from "./lib/linked-code.mjs";
import { withRegistry } from "./lib/local-registry.mjs";
import { pack, packAlone, publishedFolders } from "./lib/pack.mjs";
import { publishAll, publishCommand, publishOrder } from "./lib/publish.mjs";
import { releaseNotes } from "./lib/release-notes.mjs";
import { readReleaseOptions } from "./lib/release-options.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { spdxDocument } from "./lib/spdx.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { compilerLibrary, cudartFolder, learnFolder, releaseFolder } from "./lib/step-release.mjs";
import { ROOT, readManifest } from "./lib/workspace.mjs";

/** @typedef {import("./lib/step-release.mjs").ReleasePlatform} ReleasePlatform */
/** @typedef {import("./lib/pack.mjs").Packed} Packed */
/** @typedef {{ package: string, check: string, problems: string[] }} Finding */

const RELEASE = join(ROOT, "out/release");
const TARBALLS = join(RELEASE, "packages");

const options = optionsOrExit();
/** @type {Finding[]} */
const findings = [];
/** @param {Finding} finding */
function add(finding) {
  findings.push(finding);
  for (const problem of finding.problems) say(`${finding.package}: ${finding.check}: ${problem}`);
}

function optionsOrExit() {
  const read = readReleaseOptions(process.argv.slice(2), HOST);
  if (!("problem" in read)) return read;
  say(read.problem);
  process.exit(2);
}

/**
 * Whether programs of another platform run here. What is not tried is said, and nothing is published without it.
 *
 * @param {ReleasePlatform} platform
 */
function canTry(platform) {
  const missing = missingEmulator(platform);
  if (missing === undefined) return true;
  if (options.publish) add({ package: "all packages", check: `tried for ${platform}`, problems: [missing] });
  else say(`release: ${platform}: packed and not tried: ${missing}`);
  return false;
}

/** @param {ReleasePlatform} platform */
const libraryOf = (platform) => join(ROOT, releaseFolder(platform), compilerLibrary(platform));

/**
 * Packs the packages of a platform and checks their binaries, and on this platform @mm-ptx/cuda with them.
 *
 * @param {ReleasePlatform} platform
 * @param {readonly Packed[]} others the packages for all platforms
 * @returns {Promise<Packed[]>}
 */
async function packPlatform(platform, others) {
  const destination = platform === HOST ? TARBALLS : join(TARBALLS, platform);
  const folders = [releaseFolder(platform), cudartFolder(platform), learnFolder(platform)].filter(
    (folder) => folder !== undefined,
  );
  const packed = [];
  for (const folder of folders) packed.push(await packAlone(join(ROOT, folder), destination));
  for (const one of packed)
    add({ package: one.name, check: "binaries", problems: await checkBinaries(one, { published: true }) });
  const [native] = packed;
  const cuda = others.find(({ name }) => name === "@mm-ptx/cuda");
  if (cuda === undefined || native === undefined)
    throw new Error("expected @mm-ptx/cuda and its platform package, found one of them missing");
  const all = [...others, ...packed];
  const compiler = libraryOf(platform);
  if (platform === HOST)
    add({ package: native.name, check: "alone", problems: await checkAlone(cuda, all, compiler) });
  else if (canTry(platform))
    add({
      package: native.name,
      check: "emulated",
      problems: await checkEmulated(platform, cuda, all, compiler),
    });
  return packed;
}

/**
 * @param {readonly Packed[]} ordered
 * @param {readonly ReleasePlatform[]} platforms
 * @param {string} scratch
 */
async function tryFromRegistry(ordered, platforms, scratch) {
  await withRegistry(scratch, async ({ url, publish }) => {
    for (const { tarball } of ordered) await publish(tarball);
    say(`release: published ${ordered.length} packages to a registry on this machine`);
    for (const platform of platforms) {
      if (platform === HOST) {
        for (const finding of await checkManagers(ordered, url, scratch)) add(finding);
        for (const finding of await checkFirstProjects(url, scratch)) add(finding);
      } else if (canTry(platform))
        add(await checkPlatform(platform, ordered, url, scratch, libraryOf(platform)));
    }
  });
}

/** @param {readonly Packed[]} ordered */
function writeDocuments(ordered) {
  const root = readManifest(ROOT, ".");
  const committed = execFileSync("git", ["show", "-s", "--format=%cI", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const sources = { root, created: new Date(committed.trim()), componentOf, linkedWith };
  const spdx = join(RELEASE, `mm-ptx-${root.version}.spdx.json`);
  writeWhole(spdx, `${JSON.stringify(spdxDocument(ordered, sources), null, 2)}\n`);
  writeWhole(join(RELEASE, `notes-${root.version}.md`), releaseNotes(ROOT, root.version));
  say(`release: wrote ${spdx}`);
}

/** @param {readonly Packed[]} ordered */
function sayCommands(ordered) {
  say("release: publishing needs the flag `--publish`. It runs these commands in this order:");
  for (const packed of ordered) say(`  ${publishCommand(packed).join(" ")}`);
}

await setUpOrExit();
await buildReleaseOrExit(options.platforms);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "mm-ptx-release-")));
try {
  const everywhere = publishedFolders().filter((folder) => readManifest(ROOT, folder).os === undefined);
  const others = await pack(everywhere, TARBALLS);
  const packed = [...others];
  for (const platform of options.platforms) packed.push(...(await packPlatform(platform, others)));
  const ordered = publishOrder(packed);
  writeDocuments(ordered);
  if (options.platforms.some((platform) => platform === HOST))
    add({ package: "all packages", check: "commands of the README", problems: await checkReadme(scratch) });
  if (options.dryRun) await tryFromRegistry(ordered, options.platforms, scratch);
  const passed = findings.every(({ problems }) => problems.length === 0);
  if (options.publish && passed) {
    add({ package: "all packages", check: "published", problems: await publishAll(ordered) });
  } else if (!options.publish && !options.dryRun) {
    sayCommands(ordered);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
writeWhole(join(ROOT, REPORTS, "release.json"), `${JSON.stringify(findings, null, 2)}\n`);
const wrong = findings.filter(({ problems }) => problems.length > 0).length;
say(`release: ${findings.length - wrong} checks passed, ${wrong} failed`);
process.exitCode = wrong > 0 ? 1 : 0;
