// Runs nvcc on the corpus. What it prints is free of what depends on the machine: directives with file names keep the
// base name only.

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Kernel, Style } from "./kernels.js";
import { ROOT } from "./workspace.js";

export const HAS_NVCC = spawnSync("nvcc", ["--version"], { stdio: "ignore" }).status === 0;
const INCLUDE = join(ROOT, "packages/inject/include");

/** The PTX of a kernel's source in a style. @param more options of nvcc @throws with what nvcc says */
export async function nvccPtx(
  kernel: Kernel,
  style: Style,
  source: string,
  ...more: readonly string[]
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mm-ptx-kernels-"));
  try {
    const options = [`-arch=${kernel.arch}`, ...kernel.options, "-I", INCLUDE, ...more];
    await writeFile(join(folder, `${style}.cu`), source);
    await promisify(execFile)("nvcc", [...options, "-ptx", `${style}.cu`, "-o", "out.ptx"], { cwd: folder });
    return withoutFolders(await readFile(join(folder, "out.ptx"), "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `.file 1 "/some/where/kernel.cu"` becomes `.file 1 "kernel.cu"`; a time and size after it go as well. */
function withoutFolders(ptx: string): string {
  return ptx.replace(/^(\t\.file\t\d+ )"(?:[^"\n]*\/)?([^"\n/]*)".*$/gm, '$1"$2"');
}

/** The line that names the version of nvcc: PTX of other versions may differ. */
export function toolVersion(ptx: string): string | undefined {
  return /^\/\/ Cuda compilation tools, (.*)$/m.exec(ptx)?.[1];
}
