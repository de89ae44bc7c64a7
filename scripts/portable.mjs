// `npm run portable`: makes one archive with Node, the built packages, tests and benchmarks, for a machine
// with a GPU that has neither Node nor a network. Then it tries the archive here, with only the permitted
// programs on PATH. `--local` includes the native package that set-up built instead of a release build, which
// takes minutes, and compresses less; such an archive needs a C library that is at least as new as this machine's.
// The machine-readable report is a list of { package, check, problems }.

import { join } from "node:path";
import { buildReleaseOrExit } from "./lib/build-release.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { ARCHIVE, makeArchive } from "./lib/portable-archive.mjs";
import { tryArchive } from "./lib/portable-check.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { ADDON_FOLDER } from "./lib/step-addon.mjs";
import { releaseFolder } from "./lib/step-release.mjs";
import { ROOT } from "./lib/workspace.mjs";

/** The most bytes of the archive, so that it is easy to send. */
const MOST = 60e6;

const local = process.argv.includes("--local");
await setUpOrExit();
if (!local) await buildReleaseOrExit(["linux-x64"]);
const native = local ? ADDON_FOLDER : releaseFolder("linux-x64");
const bytes = await makeArchive(join(ROOT, ARCHIVE), native, { fast: local });
say(`portable: ${ARCHIVE}, ${(bytes / 1e6).toFixed(1)} MB`);
const size =
  local || bytes < MOST ? [] : [`expected at most ${MOST / 1e6} MB, found ${(bytes / 1e6).toFixed(1)} MB`];
const findings = [
  { package: ARCHIVE, check: "size", problems: size },
  { package: ARCHIVE, check: "runs", problems: await tryArchive(join(ROOT, ARCHIVE)) },
];
for (const { check, problems } of findings) {
  for (const problem of problems) say(`portable: ${check}: ${problem}`);
}
writeWhole(join(ROOT, REPORTS, "portable.json"), `${JSON.stringify(findings, null, 2)}\n`);
process.exitCode = findings.some(({ problems }) => problems.length > 0) ? 1 : 0;
