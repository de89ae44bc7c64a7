// `npm run native-tests [-- PART]`: builds the tests of native/test under AddressSanitizer with UndefinedBehaviorSanitizer,
// and under ThreadSanitizer, and runs those whose name contains PART. `MM_PTX_SOAK=1` runs them at their full counts. The
// report for machines is a list of { package, check, problems }, one for each test and sanitizer.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { locateArchive } from "./lib/archive.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say, sayTail, seconds } from "./lib/console.mjs";
import { childEnvironment, Interrupted, interruptible, run } from "./lib/process.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { whyNoAddon } from "./lib/step-addon.mjs";
import { createContext } from "./lib/steps.mjs";
import { findProgram } from "./lib/tools.mjs";
import { ROOT } from "./lib/workspace.mjs";

const NATIVE = join(ROOT, "native");
const REPORT = join(ROOT, REPORTS, "native-tests.json");

// Crashes are what some tests are about: a sanitizer that took the signal would hide which it was.
const CRASHES = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";

/** The presets of native/CMakePresets.json, and what their programs find in their environment. */
const SANITIZERS = {
  asan: { ASAN_OPTIONS: CRASHES, UBSAN_OPTIONS: "print_stacktrace=1" },
  tsan: { TSAN_OPTIONS: `${CRASHES}:halt_on_error=1` },
};

/** @typedef {{ package: string, check: string, problems: string[] }} Finding */

/**
 * @param {keyof typeof SANITIZERS} preset
 * @param {string[]} words
 * @param {AbortSignal} signal
 * @returns {Promise<Finding[]>}
 */
async function test(preset, words, signal) {
  const began = performance.now();
  const options = { cwd: NATIVE, environment: childEnvironment(process.env), signal };
  const cmake = findProgram("cmake", process.env) ?? "cmake";
  const { archive } = locateArchive({ root: ROOT, environment: process.env, machine: process.arch });
  for (const args of [
    ["--preset", preset, `-DMM_PTX_NVPTXCOMPILER_DIR=${archive?.folder ?? ""}`],
    ["--build", "--preset", preset, "--parallel", "--target", "mmptx_tests"],
  ]) {
    const { ok, output } = await run(cmake, args, options);
    if (ok) continue;
    sayTail(output);
    return [{ package: preset, check: "builds", problems: ["the native tests could not be built"] }];
  }
  const program = join(ROOT, "out/native", preset, "test/mmptx-tests");
  const { ok, output } = await run(program, words, {
    ...options,
    environment: { ...options.environment, ...SANITIZERS[preset] },
  });
  const findings = [...output.matchAll(/^(not )?ok (.+)$/gm)].map(([, not, check = ""]) => ({
    package: preset,
    check,
    problems: not === undefined ? [] : ["failed"],
  }));
  // A sanitizer ends the program, which then names no further test.
  const failed = findings.some(({ problems }) => problems.length > 0);
  if (!ok && !failed) findings.push({ package: preset, check: "ends", problems: ["ended before its end"] });
  if (!ok) sayTail(output, 100);
  say(`native tests: ${preset}: ${findings.length} tests, ${seconds(performance.now() - began)}`);
  return findings;
}

await setUpOrExit();
rmSync(REPORT, { force: true });
const why = whyNoAddon(createContext(ROOT, process.env, new AbortController().signal));
if (why !== undefined) say(`native tests: left out: ${why}`);
try {
  const words = process.argv.slice(2);
  const findings = await interruptible(async (signal) => {
    /** @type {Finding[]} */
    const all = [];
    if (why === undefined) for (const preset of presets()) all.push(...(await test(preset, words, signal)));
    return all;
  });
  writeWhole(REPORT, `${JSON.stringify(findings, null, 2)}\n`);
  const failed = findings.filter(({ problems }) => problems.length > 0).length;
  say(`native tests: ${findings.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  say(`native tests: ${error.message}`);
  process.exitCode = error.exitCode;
}

function presets() {
  return /** @type {(keyof typeof SANITIZERS)[]} */ (Object.keys(SANITIZERS));
}
