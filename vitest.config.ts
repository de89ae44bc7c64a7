import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/support/cache-folder.ts",
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
