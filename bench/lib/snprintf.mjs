// The yardstick in C, which is built for each benchmark: formatting 100 register names with snprintf.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Calls `measure` with a function that times some loops of the yardstick and returns their microseconds.
 *
 * @template T
 * @param {(snprintf: () => number[]) => Promise<T>} measure
 * @returns {Promise<T>} the result of `measure`
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
