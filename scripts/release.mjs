// `npm run release [-- PLATFORM…]`: builds platform packages as they are published, packs them, and checks
// the tarballs in `out/release`. Without arguments, the platform is that of this machine. Publishing itself
// is done by hand. The machine-readable report is a list of { package, check, problems }.

import { join } from "node:path";
import { buildReleaseOrExit, HOST } from "./lib/build-release.mjs";
import { checkAlone } from "./lib/check-alone.mjs";
import { checkBinaries } from "./lib/check-binaries.mjs";
import { canEmulate, checkEmulated } from "./lib/check-emulated.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { pack, packAlone, publishedFolders } from "./lib/pack.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { cudartFolder, RELEASE_PLATFORMS, releaseFolder } from "./lib/step-release.mjs";
import { ROOT, readManifest } from "./lib/workspace.mjs";

/** @typedef {import("./lib/step-release.mjs").ReleasePlatform} ReleasePlatform */

const TARBALLS = join(ROOT, "out/release/packages");

const named = process.argv.slice(2);
const unknown = named.find((name) => !RELEASE_PLATFORMS.some((platform) => platform === name));
if (unknown !== undefined) {
  say(`expected platforms among ${RELEASE_PLATFORMS.join(", ")}, found \`${unknown}\``);
  process.exit(2);
}
const platforms = RELEASE_PLATFORMS.filter((platform) =>
  named.length === 0 ? platform === HOST : named.includes(platform),
);

await setUpOrExit();
await buildReleaseOrExit(platforms);
/** @type {{ package: string, check: string, problems: string[] }[]} */
const findings = [];
const others = await pack(
  publishedFolders().filter((folder) => readManifest(ROOT, folder).os === undefined),
  TARBALLS,
);
for (const platform of platforms) {
  const packed = await packAlone(join(ROOT, releaseFolder(platform)), TARBALLS);
  const runtimeFolder = cudartFolder(platform);
  const runtime = runtimeFolder === undefined ? [] : [await packAlone(join(ROOT, runtimeFolder), TARBALLS)];
  for (const one of runtime) {
    findings.push({
      package: one.name,
      check: "binaries",
      problems: await checkBinaries(one, { published: true }),
    });
  }
  const all = [...others, packed, ...runtime];
  const cuda = others.find(({ name }) => name === "@mm-ptx/cuda");
  if (cuda === undefined) throw new Error("expected @mm-ptx/cuda among the packages, found none");
  const checks = {
    binaries: () => checkBinaries(packed, { published: true }),
    ...(platform === HOST ? { alone: () => checkAlone(cuda, all) } : {}),
    ...(platform !== HOST && canEmulate(platform)
      ? { emulated: () => checkEmulated(platform, cuda, all) }
      : {}),
  };
  for (const [check, run] of Object.entries(checks)) {
    findings.push({ package: packed.name, check, problems: await run() });
  }
}
for (const { package: name, check, problems } of findings) {
  for (const problem of problems) say(`${name}: ${check}: ${problem}`);
}
writeWhole(join(ROOT, REPORTS, "release.json"), `${JSON.stringify(findings, null, 2)}\n`);
const wrong = findings.filter(({ problems }) => problems.length > 0).length;
say(`release: ${findings.length - wrong} checks passed, ${wrong} failed`);
process.exitCode = wrong > 0 ? 1 : 0;
