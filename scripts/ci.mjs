// What CI runs, through .ci/run: tests, lint, types, packaging, API pages, the main job, each through the command that
// people use. The last line is `N passed, N failed`, summed from the reports that the runners write.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REPORTS } from "./lib/command.mjs";
import { COMPONENT_NAMES } from "./lib/components.mjs";
import { say, seconds } from "./lib/console.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { ADDON_FOLDER } from "./lib/step-addon.mjs";
import { findOnPath } from "./lib/tools.mjs";
import { ROOT } from "./lib/workspace.mjs";

/*
 * How the reports count:
 *   tests      vitest's JSON: its passed and failed tests; a file that could not be loaded is one failed
 *   lint       biome's JSON: its errors and warnings are failed, or else one passed; knip's JSON: its findings likewise
 *   types, types of scripts  tsc has no report: each `error TS` line is one failed; one passed when it ends with 0
 *   native tests  the list that scripts/native-tests.mjs writes: one a test and sanitizer
 *   packaging  the list that scripts/packaging.mjs writes: one a package and check
 *   release    the list that scripts/release.mjs writes: likewise
 *   portable   the list that scripts/portable.mjs writes: likewise
 *   API pages  the list that scripts/docs.mjs writes: one a package
 *   main job   its JSON: every program has a cubin, every cubin is right, every sample equals ptxas's: one each
 * A runner that leaves no report, or ends badly without naming a failure, is one failed.
 */

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {{ code: number | null, stdout: string }} Ended */

/** A runner that takes longer hangs. Together they stay under twenty minutes on two cores. */
const PATIENCE = 14 * 60 * 1000;

/** Programs that the main job compiles. */
const PROGRAMS = 1000;

/**
 * Runs a command without standard input. Its stdout is kept when it is a report, and shown otherwise.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ keep?: boolean }} [options]
 * @returns {Promise<Ended>}
 */
function run(command, args, { keep = false } = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, CI: "true" },
    stdio: ["ignore", keep ? "pipe" : "inherit", "inherit"],
    detached: true,
  });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {}
  };
  const timer = setTimeout(() => {
    say(`ci: ${command} did not end within ${PATIENCE / 60_000} minutes`);
    end();
  }, PATIENCE);
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  running = end;
  return new Promise((resolve) => {
    child.once("error", (error) => say(`ci: ${error.message}`));
    child.once("close", (code) => {
      clearTimeout(timer);
      running = undefined;
      resolve({ code, stdout });
    });
  });
}

/** @type {(() => void) | undefined} ends the runner that is at work */
let running;
for (const [name, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])) {
  process.on(name, () => {
    running?.();
    process.exit(code);
  });
}

/**
 * @param {string} text
 * @returns {any} `undefined` when the text is no JSON
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

/** @returns {Promise<Count>} */
async function tests() {
  const { code } = await run("npm", ["test"]);
  const report = readReport("vitest.json");
  if (report === undefined) return crashed("npm test left no report");
  const unloaded = report.testResults.filter(
    (/** @type {any} */ file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return settle(code, { passed: report.numPassedTests, failed: report.numFailedTests + unloaded });
}

/** @returns {Promise<Count>} */
async function lint() {
  const { code, stdout } = await run("npm", ["run", "--silent", "lint", "--", "--json"], { keep: true });
  const report = parseJson(stdout);
  if (report === undefined) return crashed("the linters left no report");
  const { summary, diagnostics } = report.biome;
  for (const { severity, category, message, location } of diagnostics) {
    say(`${location?.path}:${location?.start?.line}: ${severity}: ${category}: ${message}`);
  }
  const unused = report.knip.issues.flatMap((/** @type {any} */ issue) =>
    Object.entries(issue).flatMap(([kind, found]) =>
      Array.isArray(found) ? found.map(({ name }) => `${issue.file}: ${kind}: ${name}`) : [],
    ),
  );
  for (const finding of unused) say(finding);
  const failures = [summary.errors + summary.warnings, unused.length];
  return settle(code, {
    passed: failures.filter((count) => count === 0).length,
    failed: failures.reduce((sum, count) => sum + count, 0),
  });
}

/**
 * Types of what no build compiles.
 *
 * @param {string} project
 * @returns {Promise<Count>}
 */
async function types(project) {
  const args = ["node_modules/typescript/bin/tsc", "-p", project, "--pretty", "false"];
  const { code, stdout } = await run(process.execPath, args, { keep: true });
  process.stderr.write(stdout);
  const failed = stdout.split("\n").filter((line) => /\berror TS\d+/.test(line)).length;
  return settle(code, { passed: failed === 0 && code === 0 ? 1 : 0, failed });
}

/**
 * A script that leaves a list of what it checked, each with its problems.
 *
 * @param {string} script of the root's package.json; its report has the same name
 * @returns {Promise<Count>}
 */
async function checked(script) {
  const { code } = await run("npm", ["run", "--silent", script]);
  const report = readReport(`${script}.json`);
  if (report === undefined) return crashed(`npm run ${script} left no report`);
  const failed = report.filter((/** @type {any} */ finding) => finding.problems.length > 0).length;
  return settle(code, { passed: report.length - failed, failed });
}

/** @returns {Promise<Count>} */
async function mainJob() {
  const args = ["--programs", `${PROGRAMS}`, "--json", "--out", "out/ci"];
  const compiles = existsSync(join(ROOT, ADDON_FOLDER, "libmmptxc.so")) || findOnPath(["ptxas"], process.env);
  if (compiles) args.push("--require-compile");
  else say("ci: neither the compiler library nor ptxas is here, so the main job makes stubs only");
  const { code, stdout } = await run("npm", ["start", "--silent", "--", ...args], { keep: true });
  const report = parseJson(stdout);
  if (report?.checks === undefined) {
    say(stdout.slice(0, 2000));
    return crashed("the main job printed no report");
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
  for (const [requirement] of missed) say(`ci: main job: expected that ${requirement}`);
  return settle(code, { passed: Object.keys(requirements).length - missed.length, failed: missed.length });
}

/**
 * A runner that ends badly without having named a failure has one all the same.
 *
 * @param {number | null} code
 * @param {Count} count
 * @returns {Count}
 */
function settle(code, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/**
 * @param {string} sentence
 * @returns {Count}
 */
function crashed(sentence) {
  say(`ci: ${sentence}`);
  return { passed: 0, failed: 1 };
}

const STAGES = {
  tests,
  lint,
  types: () => types("tsconfig.tests.json"),
  "types of scripts": () => types("tsconfig.scripts.json"),
  "native tests": () => checked("native-tests"),
  packaging: () => checked("packaging"),
  release: () => checked("release"),
  portable: () => checked("portable"),
  "API pages": () => checked("docs"),
  "main job": mainJob,
};

rmSync(join(ROOT, REPORTS), { recursive: true, force: true });
// What can't be had is said; the tests of it are left out then.
await run("npm", ["run", "--silent", "setup", "--", "--with", COMPONENT_NAMES.join(",")]);
const total = { passed: 0, failed: 0 };
const lines = [];
for (const [name, stage] of Object.entries(STAGES)) {
  say(`\nci: ${name}`);
  const began = performance.now();
  const { passed, failed } = await stage().catch((error) => crashed(String(error?.stack ?? error)));
  total.passed += passed;
  total.failed += failed;
  lines.push(`ci: ${name}: ${passed} passed, ${failed} failed, ${seconds(performance.now() - began)}`);
}
say(`\n${lines.join("\n")}`);
process.exitCode = total.failed > 0 ? 1 : 0;
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
