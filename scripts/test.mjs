// `npm test`: runs set-up, then all tests once, and also writes a machine-readable report. `--soak` runs the
// property and fuzz tests at their full counts and, unless tests are selected, the native tests under
// sanitizers, the tests of the addon with every supported line of Node, and the builds of the published native package and of the portable archive. All other arguments
// are passed to vitest.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { REPORTS, runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { ROOT } from "./lib/workspace.mjs";

const args = process.argv.slice(2);
const soak = args.includes("--soak");
const report = `${REPORTS}/vitest.json`;

await setUpOrExit();
// A report from an earlier run must not be mistaken for this run's.
rmSync(join(ROOT, report), { force: true });
const environment = /** @type {Record<string, string>} */ (soak ? { MM_PTX_SOAK: "1" } : {});
const code = await runScript(
  "node_modules/vitest/vitest.mjs",
  [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args.filter((argument) => argument !== "--soak"),
  ],
  environment,
);
const codes = [code];
if (soak && args.length === 1) {
  for (const script of ["native-tests", "node-versions", "release", "portable"]) {
    codes.push(await runScript(`scripts/${script}.mjs`, [], environment));
  }
}
process.exitCode = codes.find((each) => each !== 0) ?? 0;
