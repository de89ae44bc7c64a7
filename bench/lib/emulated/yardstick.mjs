// Kernels in C++, which are built for each benchmark and report the time of one kernel at a time.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * Calls `measure` with a function that returns a kernel's minimum time over some rounds, in the unit of the source.
 *
 * @template T
 * @param {(yardstick: (kernel: string, rounds: number) => Promise<number>) => Promise<T>} measure
 * @param {{ source?: string, flags?: readonly string[] }} options the file with the kernels, and flags for building it
 * @returns {Promise<T>} the result of `measure`
 */
export async function withKernelsInCpp(measure, { source = "kernels.cpp", flags = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  const program = join(folder, "kernels");
  const file = fileURLToPath(new URL(source, import.meta.url));
  try {
    execFileSync("g++", ["-std=c++17", "-O2", "-mfma", ...flags, "-o", program, file]);
    const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      return await measure(async (kernel, rounds) => {
        child.stdin.write(`${kernel} ${rounds}\n`);
        const { value } = await lines.next();
        return Number(value.split(" ")[1]);
      });
    } finally {
      child.kill();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
