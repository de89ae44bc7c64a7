// Ends what a file's tests have replaced: spies, clocks and variables of the environment must not
// reach the next file of the same process.

import { afterAll, vi } from "vitest";

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
