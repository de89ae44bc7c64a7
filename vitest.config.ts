// Two kinds of tests. Most of those without native code share processes: starting one and loading the sources into it
// takes longer than most of these tests. A test that changes what others in its process would see has a process to itself,
// as have the tests of packages/cuda: the addon accepts only one copy of that package per process, and tests/ loads the built one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { listFiles, ROOT } from "./scripts/lib/workspace.mjs";
import { SOAK } from "./tests/support/counts.js";

const SHARING = [
  /^packages\/(types|cli|ptx|columns|stack|ast|inject|emulator)\/test\/.*\.test\.ts$/,
  /^tests\/.*\.test\.ts$/,
];

/**
 * Spies, stubs and mocks, other globals, the environment, threads, measurements of this process's memory, and support with
 * hooks, which run for the first file that loads it alone.
 */
const CHANGES_ITS_PROCESS =
  /\bvi\.|\bglobalThis\.|process\.env\.\w+ \??=[^=]|delete process\.env|process\.(chdir|on|exitCode)\b|support\/(characters|header-compilers|heap|workers)\.js|node:worker_threads/;

const isSharing = (file: string): boolean => SHARING.some((pattern) => pattern.test(file));
const sharing = ["packages", "tests"].flatMap((folder) => listFiles(ROOT, folder, isSharing));
const alone = sharing.filter((file) => CHANGES_ITS_PROCESS.test(readFileSync(join(ROOT, file), "utf8")));

export default defineConfig({
  test: {
    globalSetup: "tests/support/cache-folder.ts",
    maxWorkers: 2,
    // Node loads built packages itself, without Vite.
    server: { deps: { external: [/\/dist\//] } },
    // Two workers keep both cores busy, so additional threads for garbage collection only slow them down.
    execArgv: ["--single-threaded-gc", "--max-semi-space-size=32"],
    // Full counts take a property ten to fifty times as long.
    testTimeout: SOAK ? 1_800_000 : 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: [...alone, "packages/*/test/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...sharing.filter((file) => !alone.includes(file))],
        },
      },
      {
        extends: true,
        test: {
          name: "sharing",
          include: sharing.filter((file) => !alone.includes(file)),
          isolate: false,
        },
      },
    ],
  },
});
