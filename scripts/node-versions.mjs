// `npm run node-versions`: uses the built addon from every line of Node that the packages support, with the fake
// driver, and ends threads that use it; and compares the archives of searches. `MM_PTX_SOAK=1` runs all tests of packages/cuda with each of them. A version
// that npm cannot fetch is left out, and said to be. The machine-readable report is a list of { package, check, problems }.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REPORTS } from "./lib/command.mjs";
import { say, sayTail, seconds } from "./lib/console.mjs";
import { findNodeVersions } from "./lib/node-versions.mjs";
import { childEnvironment, Interrupted, interruptible, run } from "./lib/process.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { LIBRARY, whyNoAddon } from "./lib/step-addon.mjs";
import { createContext } from "./lib/steps.mjs";
import { ROOT } from "./lib/workspace.mjs";

const REPORT = join(ROOT, REPORTS, "node-versions.json");
const DRIVER = join(ROOT, "native/build/libmmptx-fake-driver.so");

const COMPILE = existsSync(join(ROOT, LIBRARY)) ? ["--compile"] : [];
const SMOKE = ["scripts/lib/addon-smoke.mjs", ...COMPILE];
const SEARCHES = ["scripts/lib/search-hashes.mjs"];
/** @param {boolean} soak */
const TERMINATIONS = (soak) => ["scripts/lib/terminations.mjs", soak ? "440" : "11", ...COMPILE];
const TESTS = ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=2", "packages/cuda/test"];

/** @typedef {{ package: string, check: string, problems: string[] }} Finding */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Finding[]>}
 */
async function tryAll(signal) {
  /** @type {Finding[]} */
  const findings = [];
  const soak = process.env.MM_PTX_SOAK === "1";
  for (const found of await findNodeVersions(signal)) {
    if ("problem" in found) {
      say(`node-versions: ${found.version}: left out: ${found.problem}`);
      continue;
    }
    const { version, node } = found;
    const began = performance.now();
    const check = async (/** @type {string} */ what, /** @type {string[]} */ args, environment = {}) => {
      const { ok, output } = await run(node, args, {
        cwd: ROOT,
        environment: { ...childEnvironment(process.env), ...environment },
        signal,
      });
      if (!ok) sayTail(output);
      findings.push({ package: `Node ${version}`, check: what, problems: ok ? [] : ["failed"] });
    };
    // The tests do so in this version.
    if (node !== process.execPath) await check("searches", SEARCHES);
    await check("addon", SMOKE, { MM_PTX_DRIVER: DRIVER });
    await check("terminations", TERMINATIONS(soak), { MM_PTX_DRIVER: DRIVER });
    if (soak) await check("tests", TESTS);
    say(`node-versions: ${version}: ${seconds(performance.now() - began)}`);
  }
  return findings;
}

await setUpOrExit();
rmSync(REPORT, { force: true });
const why = whyNoAddon(createContext(ROOT, process.env, new AbortController().signal));
if (why !== undefined) say(`node-versions: left out: ${why}`);
try {
  const findings = await interruptible((signal) =>
    why === undefined ? tryAll(signal) : Promise.resolve([]),
  );
  writeWhole(REPORT, `${JSON.stringify(findings, null, 2)}\n`);
  const failed = findings.filter(({ problems }) => problems.length > 0).length;
  say(`node-versions: ${findings.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  say(`node-versions: ${error.message}`);
  process.exitCode = error.exitCode;
}
