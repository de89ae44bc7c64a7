// Two kinds of tests. Most of them share processes: starting one and loading the sources into it takes longer than most of
// these tests. A test that changes what others in its process would see has a process to itself, as have tests that use a
// GPU. The tests of packages/cuda and packages/farm that share processes share them with each other alone: after a change that
// has not been built they load the sources of packages/cuda, tests/ loads the built package, and each has a copy of what it
// keeps per process.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { listFiles, ROOT } from "./scripts/lib/workspace.mjs";
import { builtPackages } from "./tests/support/built.js";
import { SOAK } from "./tests/support/counts.js";

const SHARING = [
  /^packages\/(types|cli|ptx|columns|learn|stack|ast|inject|emulator|pipeline|search|mm-ptx)\/test\/.*\.test\.ts$/,
  /^tests\/.*\.test\.ts$/,
];

/** Whether a GPU may be present: not if Linux has no device of its driver. */
const MAY_HAVE_GPU = process.platform !== "linux" || ["/dev/nvidiactl", "/dev/dxg"].some(existsSync);

const SHARING_CUDA = [
  /^packages\/cuda\/test\/(cache|cli|cubin|cuda|driver|faults|fetch|link|native|ptx|toolkit)\/.*\.test\.ts$/,
  /^packages\/farm\/test\/.*\.test\.ts$/,
  // Without a GPU, these use the emulator alone.
  ...(MAY_HAVE_GPU ? [] : [/^packages\/cuda\/test\/gpu\/.*\.test\.ts$/]),
];

/**
 * Stubs of globals, mocks, the environment, threads, flags of V8, and measurements of this process's memory and of strings.
 * Spies, clocks and stubs of the environment end with their file.
 */
const CHANGES_ITS_PROCESS =
  /\bvi\.(?!fn|spyOn|waitFor|stubEnv|unstubAllEnvs|(?:restoreAll|clearAll)Mocks|use(?:Fake|Real)Timers|setSystemTime|(?:runAll|advance)Timers)|\bglobalThis\.|process\.env\.\w+ \??=[^=]|delete process\.env|process\.(chdir|on|exitCode)\b|support\/(characters|heap)\.js|node:(v8|worker_threads)/;

/** Tests that start threads. */
const STARTS_THREADS = /node:worker_threads/;

/** Modules that are replaced or loaded anew, which only works for those that Vite loads: sources. */
const REPLACES_MODULES = /\bvi\.(mock|doMock|resetModules)\(/;

/** The tests of some files. */
function testsIn(patterns: readonly RegExp[], isWanted: (text: string) => boolean): string[] {
  const files = ["packages", "tests"].flatMap((folder) =>
    listFiles(ROOT, folder, (file) => patterns.some((pattern) => pattern.test(file))),
  );
  return files.filter((file) => isWanted(readFileSync(join(ROOT, file), "utf8")));
}

const shares = (text: string) => !CHANGES_ITS_PROCESS.test(text);
const SHARED = { sharing: testsIn(SHARING, shares), "sharing cuda": testsIn(SHARING_CUDA, shares) };
const REPLACING = testsIn([/\.test\.ts$/], (text) => REPLACES_MODULES.test(text));
const THREADS = testsIn([/\.test\.ts$/], (text) => STARTS_THREADS.test(text));
const BUILT = builtPackages();

export default defineConfig({
  test: {
    globalSetup: "tests/support/folders.ts",
    setupFiles: ["tests/support/equality.ts", "tests/support/restore.ts"],
    // One more than CI has cores, because tests often wait: for processes, devices and limits.
    maxWorkers: 3,
    // Node loads built packages itself, without Vite.
    server: { deps: { external: [/\/dist\//] } },
    // The workers keep all cores busy, so additional threads for garbage collection only slow them down.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=32"],
    // Full counts take a property ten to fifty times as long.
    testTimeout: SOAK ? 1_800_000 : 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: ["packages/*/test/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...Object.values(SHARED).flat(), ...REPLACING, ...THREADS],
        },
        plugins: BUILT,
      },
      {
        extends: true,
        plugins: BUILT,
        test: {
          name: "alone, with threads",
          include: THREADS,
          // Node 20 may abort if V8 begins to mark incrementally for a thread that is just ending.
          execArgv: ["--no-incremental-marking"],
        },
      },
      { extends: true, test: { name: "alone, of sources", include: REPLACING } },
      ...Object.entries(SHARED).map(([name, include]) => ({
        extends: true as const,
        plugins: BUILT,
        test: { name, include, isolate: false },
      })),
    ],
  },
});
