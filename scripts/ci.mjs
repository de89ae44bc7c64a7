// Runs CI, called by .ci/run: set-up, then the stages of scripts/lib/ci-stages.mjs concurrently. The last
// line is `N passed, N failed`, summed from the reports that the runners write.

import { rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { runStages, Stage } from "./lib/ci-lanes.mjs";
import { STAGES } from "./lib/ci-stages.mjs";
import { REPORTS } from "./lib/command.mjs";
import { COMPONENT_NAMES } from "./lib/components.mjs";
import { say, seconds } from "./lib/console.mjs";
import { ROOT } from "./lib/workspace.mjs";

/**
 * Two concurrent stages keep two cores busy: the tests have several workers, and most other stages have one
 * thread.
 */
const LANES = 2;

// TypeScript's compiler and esbuild, which are written in Go, otherwise spend a quarter of their time on collecting garbage.
process.env.GOGC = "off";
process.env.GOMEMLIMIT = "1GiB";

/** The milliseconds after which a stage counts as hanging. */
const LIMIT = 45 * 60 * 1000;

const interrupted = new AbortController();
let exitCode = 0;
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(name, () => {
    exitCode = 128 + constants.signals[name];
    interrupted.abort();
  });
}
const options = {
  root: ROOT,
  limit: LIMIT,
  print: (/** @type {string} */ text) => void process.stderr.write(text),
  signal: interrupted.signal,
};

rmSync(join(ROOT, REPORTS), { recursive: true, force: true });
/** @param {Stage} stage */
async function setUp(stage) {
  // Set-up reports what it cannot provide; tests that need it are skipped.
  const { code } = await stage.run("npm", [
    "run",
    "--silent",
    "setup",
    "--",
    "--with",
    COMPONENT_NAMES.join(","),
  ]);
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}
await runStages({ "set-up": setUp }, { ...options, lanes: 1 });
const results = await runStages(STAGES, { ...options, lanes: LANES });
say("");
for (const { name, passed, failed, milliseconds } of results) {
  say(`ci: ${name}: ${passed} passed, ${failed} failed, ${seconds(milliseconds)}`);
}
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
process.exitCode = exitCode || (failed > 0 ? 1 : 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
