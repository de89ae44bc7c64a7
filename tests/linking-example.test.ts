// The example of linking, run as a user would run it, with and without its libraries.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CudaCompiler, Linker } from "../packages/cuda/dist/index.js";
import { ROOT } from "./support/workspace.js";

const EXAMPLE = join(ROOT, "examples/02-linking");

function isThere(make: () => Disposable): boolean {
  try {
    make()[Symbol.dispose]();
    return true;
  } catch (error) {
    if ((error as { code: string }).code === "UNAVAILABLE") return false;
    throw error;
  }
}

const LIBRARIES = isThere(() => new CudaCompiler()) && isThere(() => new Linker());

function run(options: readonly string[] = []) {
  const args = [...options, join(EXAMPLE, "dist/main.js")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

it.runIf(LIBRARIES)("prints what its README shows", () => {
  const shown = /^```\n([^`]*)```$/m.exec(readFileSync(join(EXAMPLE, "README.md"), "utf8"))?.[1];
  expect(run()).toEqual({ status: 0, stdout: shown, stderr: "" });
});

it("reports what is missing", () => {
  // A platform that has no native package, because a program of ours calls NVRTC and nvJitLink.
  const elsewhere = 'Object.defineProperty(process, "arch", { value: "none" })';
  const { status, stdout } = run([`--import=data:text/javascript,${encodeURIComponent(elsewhere)}`]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^left out: expected (a compiler for CUDA|nvJitLink), found none:\n {2}- /);
});
