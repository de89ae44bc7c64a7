// Runs nvcc on the corpus. Its output is made independent of the machine: directives with file names keep the
// base name only.

import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { annotateCuda } from "../../packages/inject/dist/index.js";
import type { Kernel, Style } from "./kernels.js";
import { legacyCuda } from "./legacy-cuda.js";
import { ROOT } from "./workspace.js";

export const HAS_NVCC = spawnSync("nvcc", ["--version"], { stdio: "ignore" }).status === 0;
const INCLUDE = join(ROOT, "packages/inject/include");

/** The CUDA source of a kernel in a style, for nvcc. */
const SOURCES: Record<Style, (kernel: Kernel) => string> = {
  macro: (kernel) => kernel.source("macro"),
  comment: (kernel) => annotateCuda(kernel.source("comment")).text,
  legacy: (kernel) => legacyCuda(kernel.source("comment")),
};

/** Options that differ from the kernel's. */
interface Changes {
  readonly arch?: string;
  readonly source?: string;
  /** Options besides the kernel's own. */
  readonly options?: readonly string[];
}

/** The PTX of a kernel in a style. @throws with nvcc's output */
export async function nvccPtx(kernel: Kernel, style: Style, changes: Changes = {}): Promise<string> {
  const { arch = kernel.arch, source = SOURCES[style](kernel), options = [] } = changes;
  const folder = await mkdtemp(join(tmpdir(), "mm-ptx-kernels-"));
  try {
    await writeFile(join(folder, `${style}.cu`), source);
    const how = [`-arch=${arch}`, ...kernel.options, "-I", INCLUDE, ...options];
    await promisify(execFile)("nvcc", [...how, "-ptx", `${style}.cu`, "-o", "out.ptx"], { cwd: folder });
    return withoutFolders(await readFile(join(folder, "out.ptx"), "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `.file 1 "/some/where/kernel.cu"` becomes `.file 1 "kernel.cu"`; a time and size after it are removed. */
function withoutFolders(ptx: string): string {
  return ptx.replace(/^(\t\.file\t\d+ )"(?:[^"\n]*\/)?([^"\n/]*)".*$/gm, '$1"$2"');
}

/** The line that names the version of nvcc; PTX of other versions may differ. */
export function toolVersion(ptx: string): string | undefined {
  return /^\/\/ Cuda compilation tools, (.*)$/m.exec(ptx)?.[1];
}
