// Two kinds of tests. Those of packages without native code share processes: starting one and loading the sources into it
// takes longer than most of these tests. A test that changes what others in its process would see has a process to itself,
// as have the tests of machine code and of the workspace.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { listFiles, ROOT } from "./scripts/lib/workspace.mjs";
import { SOAK } from "./tests/support/counts.js";

const PURE = /^packages\/(types|cli|ptx|stack|ast|inject|emulator)\/test\/.*\.test\.ts$/;

/**
 * Spies, stubs and mocks, other globals, threads, measurements of this process's memory, and support with hooks, which run
 * for the first file that loads it alone.
 */
const CHANGES_ITS_PROCESS =
  /\bvi\.|\bglobalThis\.|support\/(characters|header-compilers|heap|workers)\.js|node:worker_threads/;

const pure = listFiles(ROOT, "packages", (file) => PURE.test(file));
const alone = pure.filter((file) => CHANGES_ITS_PROCESS.test(readFileSync(join(ROOT, file), "utf8")));

export default defineConfig({
  test: {
    globalSetup: "tests/support/cache-folder.ts",
    maxWorkers: 2,
    // What is built is loaded as it is, without Vite.
    server: { deps: { external: [/\/dist\//] } },
    // With two workers on two cores, threads that collect garbage beside them only wait for each other.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=32"],
    // Full counts take a property ten to fifty times as long.
    testTimeout: SOAK ? 1_800_000 : 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: [...alone, "packages/*/test/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...pure.filter((file) => !alone.includes(file))],
        },
      },
      {
        extends: true,
        test: {
          name: "sharing",
          include: pure.filter((file) => !alone.includes(file)),
          isolate: false,
        },
      },
    ],
  },
});
