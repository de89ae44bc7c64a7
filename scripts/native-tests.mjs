// `npm run native-tests [-- PART]`: builds all native code with AddressSanitizer and
// UndefinedBehaviorSanitizer, and again with ThreadSanitizer. With each build, it runs the tests of
// native/test and, in a Node with the sanitizer's library preloaded, the tests of devices; PART selects those
// whose name contains it. `--preset asan` or `--preset tsan` builds only that one. `MM_PTX_SOAK=1` runs all tests
// at their full counts. The machine-readable report is a list of { package, check, problems }, one for each test
// and sanitizer.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { locateArchive } from "./lib/archive.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say, sayTail, seconds } from "./lib/console.mjs";
import { childEnvironment, Interrupted, interruptible, run } from "./lib/process.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { whyNoAddon } from "./lib/step-addon.mjs";
import { createContext } from "./lib/steps.mjs";
import { findOnPath, findProgram } from "./lib/tools.mjs";
import { ROOT } from "./lib/workspace.mjs";

const NATIVE = join(ROOT, "native");
const BUILDS = join(ROOT, "out/native");
const REPORT = join(ROOT, REPORTS, "native-tests.json");
const SOAK = process.env.MM_PTX_SOAK === "1";

// Some tests crash processes on purpose. If a sanitizer handled the signal, the test could not tell which
// signal it was.
const CRASHES = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";

/** Suppresses reports of ThreadSanitizer that are not races. */
const NO_RACES = `suppressions=${join(NATIVE, "test/tsan.supp")}`;

/**
 * Checks that only a soak makes. They are made at each access, so that they take a third of the build, and without them
 * AddressSanitizer or the processor still stops at a null pointer.
 */
const SOAK_CHECKS = "null,alignment";

/** The tests of packages/cuda that use the addon, its worker and the fake driver. */
const DEVICE_TESTS = "packages/cuda/test/driver";
/** A test in which threads that use it end. */
const TERMINATIONS = "packages/cuda/test/native/terminations.test.ts";

/**
 * The presets of native/CMakePresets.json and the environment of their programs. `brief` are the tests of
 * devices that run outside of a soak: without those that start many processes or wait for limits and, with
 * ThreadSanitizer, only those about threads and lifetimes.
 */
const SANITIZERS = {
  asan: {
    library: "libasan.so",
    // The runtime of GCC 13 and earlier mistakes some thread-local storage for that of an old glibc, and then crashes
    // while it searches for leaks.
    environment: {
      ASAN_OPTIONS: `${CRASHES}:intercept_tls_get_addr=0`,
      UBSAN_OPTIONS: "print_stacktrace=1",
    },
    // Node leaks memory at exit on purpose.
    inNode: { ASAN_OPTIONS: `${CRASHES}:detect_leaks=0` },
    still: false,
    brief: ["disposal", "failure", "memory", "operations", "sequences", "waits"].map(
      (name) => `${DEVICE_TESTS}/${name}.test.ts`,
    ),
  },
  tsan: {
    library: "libtsan.so",
    environment: { TSAN_OPTIONS: `${CRASHES}:halt_on_error=1:${NO_RACES}` },
    // Node itself is not instrumented, so reports about it would be false. ThreadSanitizer is slow, and a
    // tenth of the cases makes threads meet often enough.
    inNode: {
      TSAN_OPTIONS: `${CRASHES}:halt_on_error=1:ignore_noninstrumented_modules=1:${NO_RACES}`,
      MM_PTX_SOAK: undefined,
    },
    // With address randomization, ThreadSanitizer sometimes cannot reserve the addresses that it needs.
    still: true,
    brief: ["operations", "sequences"].map((name) => `${DEVICE_TESTS}/${name}.test.ts`),
  },
};

/** @typedef {keyof typeof SANITIZERS} Preset */
/** @typedef {{ package: string, check: string, problems: string[] }} Finding */
/** @typedef {import("./lib/process.mjs").RunOptions} RunOptions */

/**
 * Builds one preset after the other, each on all cores. The tests of a preset often wait, so they run during
 * the next build.
 *
 * @param {Preset[]} presets
 * @param {string | undefined} part
 * @param {AbortSignal} signal
 * @returns {Promise<Finding[]>}
 */
async function testAll(presets, part, signal) {
  const options = { cwd: NATIVE, environment: childEnvironment(process.env), signal };
  let building = Promise.resolve(true);
  const all = presets.map(async (preset) => {
    const built = building.then(() => build(preset, options));
    building = built;
    return (await built)
      ? await test(preset, part, options)
      : [{ package: preset, check: "builds", problems: ["the native tests could not be built"] }];
  });
  return (await Promise.all(all)).flat();
}

/**
 * @param {Preset} preset
 * @param {string | undefined} part
 * @param {RunOptions} options
 * @returns {Promise<Finding[]>}
 */
async function test(preset, part, options) {
  const began = performance.now();
  const { environment } = SANITIZERS[preset];
  const sanitized = { ...options, environment: { ...options.environment, ...environment } };
  const findings = [
    await nativeTests(preset, part, sanitized),
    await deviceTests(preset, part, sanitized),
  ].flat();
  say(`native tests: ${preset}: ${findings.length} tests, ${seconds(performance.now() - began)}`);
  return findings;
}

/**
 * @param {Preset} preset
 * @param {RunOptions} options
 */
async function build(preset, options) {
  const cmake = findProgram("cmake", process.env) ?? "cmake";
  const { archive } = locateArchive({ root: ROOT, environment: process.env, machine: process.arch });
  const settings = {
    MM_PTX_NVPTXCOMPILER_DIR: archive?.folder ?? "",
    MM_PTX_WITHOUT_CHECKS: SOAK ? "" : SOAK_CHECKS,
  };
  for (const args of [
    ["--preset", preset, ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`)],
    ["--build", "--preset", preset, "--parallel", `${availableParallelism()}`],
  ]) {
    const { ok, output } = await run(cmake, args, options);
    if (ok) continue;
    sayTail(output);
    return false;
  }
  return true;
}

/**
 * @param {Preset} preset
 * @param {string | undefined} part
 * @param {RunOptions} options
 * @returns {Promise<Finding[]>}
 */
async function nativeTests(preset, part, options) {
  const program = join(BUILDS, preset, "test/mmptx-tests");
  const { ok, output } = await run(program, part === undefined ? [] : [part], options);
  const findings = [...output.matchAll(/^(not )?ok (.+)$/gm)].map(([, not, check = ""]) =>
    finding(preset, check, not === undefined),
  );
  // No native test has this name; that is not a failure, because a test of devices may have it.
  if (part !== undefined && findings.length === 0) return [];
  return ended(preset, findings, ok, output);
}

/**
 * @param {Preset} preset
 * @param {string | undefined} part
 * @param {RunOptions} options
 * @returns {Promise<Finding[]>}
 */
async function deviceTests(preset, part, options) {
  const { library, inNode, still, brief } = SANITIZERS[preset];
  const compiler = findProgram("compiler", process.env) ?? "c++";
  const { output: preloaded } = await run(compiler, [`-print-file-name=${library}`], options);
  if (!existsSync(preloaded.trim())) {
    say(`native tests: ${preset}: ${compiler} has no ${library}, so that nothing runs in Node`);
    return [];
  }
  const report = join(BUILDS, preset, "vitest.json");
  rmSync(report, { force: true });
  const files = SOAK ? [DEVICE_TESTS, TERMINATIONS] : brief;
  const setarch = still ? findOnPath(["setarch"], process.env) : undefined;
  const node = [...(setarch === undefined ? [] : [setarch, "--addr-no-randomize"]), process.execPath];
  const [command = "", ...words] = [
    ...node,
    "node_modules/vitest/vitest.mjs",
    "run",
    "--maxWorkers=2",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...(part === undefined ? [] : ["-t", part]),
    ...files,
  ];
  const { ok, output } = await run(command, words, {
    ...options,
    cwd: ROOT,
    environment: {
      ...options.environment,
      ...inNode,
      LD_PRELOAD: preloaded.trim(),
      MM_PTX_SANITIZER: "1",
      MM_PTX_NATIVE_DIR: join(BUILDS, preset, "package"),
      MM_PTX_FAKE_DRIVER: join(BUILDS, preset, "libmmptx-fake-driver.so"),
    },
  });
  /** @type {{ testResults: { assertionResults: { fullName: string, status: string }[] }[] }} */
  const { testResults } = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
  const findings = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ fullName, status }) => finding(preset, fullName, status === "passed"));
  return ended(preset, findings, ok, output);
}

/**
 * @param {Preset} preset
 * @param {string} check
 * @param {boolean} passed
 * @returns {Finding}
 */
function finding(preset, check, passed) {
  return { package: preset, check, problems: passed ? [] : ["failed"] };
}

/**
 * Adds a failure if the program was ended by a sanitizer, after which no further tests are named.
 *
 * @param {Preset} preset
 * @param {Finding[]} findings
 * @param {boolean} ok
 * @param {string} output
 */
function ended(preset, findings, ok, output) {
  const failed = findings.some(({ problems }) => problems.length > 0);
  if (!ok && !failed) findings.push({ package: preset, check: "ends", problems: ["ended early"] });
  if (!ok) sayTail(output, 100);
  return findings;
}

/** @returns {{ presets: Preset[], part: string | undefined }} */
function readArguments() {
  const { values, positionals } = parseArgs({
    options: { preset: { type: "string" } },
    allowPositionals: true,
  });
  const all = /** @type {Preset[]} */ (Object.keys(SANITIZERS));
  const presets = all.filter((preset) => values.preset === undefined || preset === values.preset);
  if (presets.length > 0) return { presets, part: positionals[0] };
  say(`native tests: expected ${all.join(" or ")} after --preset, found ${values.preset}`);
  process.exit(2);
}

const { presets, part } = readArguments();
await setUpOrExit();
rmSync(REPORT, { force: true });
const why = whyNoAddon(createContext(ROOT, process.env, new AbortController().signal));
if (why !== undefined) say(`native tests: left out: ${why}`);
try {
  const findings = await interruptible((signal) =>
    why === undefined ? testAll(presets, part, signal) : Promise.resolve([]),
  );
  writeWhole(REPORT, `${JSON.stringify(findings, null, 2)}\n`);
  const failed = findings.filter(({ problems }) => problems.length > 0).length;
  say(`native tests: ${findings.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  say(`native tests: ${error.message}`);
  process.exitCode = error.exitCode;
}
