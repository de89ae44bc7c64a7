// The stages of CI, each run through its public command, and how the report of each is counted:
//   tests         vitest's JSON: its passed and failed tests; a file that could not be loaded counts as one failure
//   lint          biome's JSON: each error and warning is a failure, none is one pass; knip's JSON: its findings likewise
//   types, types of scripts  tsc has no report: each `error TS` line is a failure; one pass when it exits with 0
//   main job      its JSON: every program has a cubin, every cubin is right, every sample equals ptxas's: one each
//   the others    a list of findings, each with its problems: a finding without problems is a pass
// A runner that leaves no report, or fails without naming a failure, counts as one failure.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPORTS } from "./command.mjs";
import { writeWhole } from "./stamps.mjs";
import { ADDON_FOLDER } from "./step-addon.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./ci-lanes.mjs").Stage} Stage */
/** @typedef {import("./ci-lanes.mjs").Count} Count */

/** Programs that the main job compiles. */
const PROGRAMS = 1000;

/**
 * @param {string} text
 * @returns {any} `undefined` if the text is not JSON
 */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} name */
const reportPath = (name) => join(ROOT, REPORTS, name);

/** @param {string} name */
const readReport = (name) =>
  existsSync(reportPath(name)) ? parseJson(readFileSync(reportPath(name), "utf8")) : undefined;

/**
 * @param {Stage} stage
 * @returns {Promise<Count>}
 */
async function tests(stage) {
  const { code } = await stage.run("npm", ["test"]);
  const report = readReport("vitest.json");
  if (report === undefined) return crashed(stage, "npm test left no report");
  const unloaded = report.testResults.filter(
    (/** @type {any} */ file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return settle(code, { passed: report.numPassedTests, failed: report.numFailedTests + unloaded });
}

/**
 * @param {Stage} stage
 * @returns {Promise<Count>}
 */
async function lint(stage) {
  const args = ["run", "--silent", "lint", "--", "--json"];
  const { code, stdout } = await stage.run("npm", args, { isReport: true });
  const report = parseJson(stdout);
  if (report === undefined) return crashed(stage, "the linters left no report");
  const { summary, diagnostics } = report.biome;
  for (const { severity, category, message, location } of diagnostics) {
    stage.say(`${location?.path}:${location?.start?.line}: ${severity}: ${category}: ${message}`);
  }
  const unused = report.knip.issues.flatMap((/** @type {any} */ issue) =>
    Object.entries(issue).flatMap(([kind, found]) =>
      Array.isArray(found) ? found.map(({ name }) => `${issue.file}: ${kind}: ${name}`) : [],
    ),
  );
  for (const finding of unused) stage.say(finding);
  const failures = [summary.errors + summary.warnings, unused.length];
  return settle(code, {
    passed: failures.filter((count) => count === 0).length,
    failed: failures.reduce((sum, count) => sum + count, 0),
  });
}

/**
 * Checks the types of files that no build compiles.
 *
 * @param {string} project
 * @returns {(stage: Stage) => Promise<Count>}
 */
function types(project) {
  return async (stage) => {
    const args = ["node_modules/typescript-native/bin/tsc", "-p", project, "--pretty", "false"];
    const { code, stdout } = await stage.run(process.execPath, args);
    const failed = stdout.split("\n").filter((line) => /\berror TS\d+/.test(line)).length;
    return settle(code, { passed: failed === 0 && code === 0 ? 1 : 0, failed });
  };
}

/**
 * Runs a script that writes a list of checks, each with its problems.
 *
 * @param {string} script the name in the root's package.json and of the report
 * @param {readonly string[]} [args]
 * @returns {(stage: Stage) => Promise<Count>}
 */
function checked(script, args = []) {
  return async (stage) => {
    const { code } = await stage.run("npm", ["run", "--silent", script, "--", ...args]);
    const report = readReport(`${script}.json`);
    if (report === undefined) return crashed(stage, `npm run ${script} left no report`);
    const failed = report.filter((/** @type {any} */ finding) => finding.problems.length > 0).length;
    return settle(code, { passed: report.length - failed, failed });
  };
}

/**
 * @param {Stage} stage
 * @returns {Promise<Count>}
 */
async function mainJob(stage) {
  const args = ["--programs", `${PROGRAMS}`, "--json", "--out", "out/ci"];
  const compiles = existsSync(join(ROOT, ADDON_FOLDER, "libmmptxc.so")) || findOnPath(["ptxas"], process.env);
  if (compiles) args.push("--require-compile");
  else stage.say("ci: neither the compiler library nor ptxas is available, so the main job only makes stubs");
  const { code, stdout } = await stage.run("npm", ["start", "--silent", "--", ...args], { isReport: true });
  const report = parseJson(stdout);
  if (report?.checks === undefined) {
    stage.say(stdout.slice(0, 2000));
    return crashed(stage, "the main job printed no report");
  }
  writeWhole(reportPath("main-job.json"), stdout);
  const { compiled, failed, checks } = report;
  const requirements = compiles
    ? {
        "every program has a cubin": compiled === PROGRAMS && failed === 0,
        "every cubin is an ELF for the architecture with the kernel's entry":
          checks.elf.total === PROGRAMS && checks.elf.passed === PROGRAMS,
        "every sample equals what ptxas makes":
          "skipped" in checks.ptxas || checks.ptxas.equal === checks.ptxas.compared,
      }
    : { "every program is rendered": compiled === 0 && failed === 0 && code === 0 };
  const missed = Object.entries(requirements).filter(([, met]) => !met);
  for (const [requirement] of missed) stage.say(`ci: main job: expected that ${requirement}`);
  return settle(code, { passed: Object.keys(requirements).length - missed.length, failed: missed.length });
}

/**
 * A runner that fails without naming a failure counts as one failure.
 *
 * @param {number | null} code
 * @param {Count} count
 * @returns {Count}
 */
function settle(code, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/**
 * @param {Stage} stage
 * @param {string} sentence
 * @returns {Count}
 */
function crashed(stage, sentence) {
  stage.say(`ci: ${sentence}`);
  return { passed: 0, failed: 1 };
}

/**
 * The tests occupy one lane; the other stages share the remaining lanes. What takes minutes and seldom changes is left to `npm run soak`,
 * which runs every night: ThreadSanitizer, release builds and the portable archive.
 *
 * @type {Record<string, (stage: Stage) => Promise<Count>>}
 */
export const STAGES = {
  tests,
  "native tests": checked("native-tests", ["--preset", "asan"]),
  "Node versions": checked("node-versions"),
  packaging: checked("packaging"),
  "API pages": checked("docs", ["--check"]),
  site: checked("site", ["--check"]),
  playground: checked("playground", ["--test"]),
  types: types("tsconfig.tests.json"),
  "types of scripts": types("tsconfig.scripts.json"),
  lint,
  "main job": mainJob,
};
