// `npm test`: set-up, then all tests once, with a report for machines beside the one for people. `--soak` runs the
// property and fuzz tests at their full counts, and when nothing is picked out the native ones under sanitizers as well;
// everything else is passed on to vitest.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { REPORTS, runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { ROOT } from "./lib/workspace.mjs";

const args = process.argv.slice(2);
const soak = args.includes("--soak");
const report = `${REPORTS}/vitest.json`;

await setUpOrExit();
// A report of an earlier run must not be taken for this one's.
rmSync(join(ROOT, report), { force: true });
const environment = /** @type {Record<string, string>} */ (soak ? { MM_PTX_SOAK: "1" } : {});
const code = await runScript(
  "node_modules/vitest/vitest.mjs",
  [
    "run",
    "--maxWorkers=2",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args.filter((argument) => argument !== "--soak"),
  ],
  environment,
);
const native = soak && args.length === 1 ? await runScript("scripts/native-tests.mjs", [], environment) : 0;
process.exitCode = code === 0 ? native : code;
