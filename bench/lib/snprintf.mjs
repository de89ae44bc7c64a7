// The yardstick in C, built anew for each benchmark: 100 register names through snprintf.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs `measure` with a function that gives the microseconds of some loops of the yardstick, measured when it is called.
 *
 * @template T
 * @param {(snprintf: () => number[]) => Promise<T>} measure
 * @returns {Promise<T>} what it gives
 */
export async function withSnprintf(measure) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const yardstick = join(folder, "snprintf");
    execFileSync("cc", ["-O2", "-o", yardstick, fileURLToPath(new URL("snprintf.c", import.meta.url))]);
    return await measure(() => JSON.parse(execFileSync(yardstick, ["1"], { encoding: "utf8" })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
