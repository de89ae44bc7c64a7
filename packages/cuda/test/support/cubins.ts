// Cubins of the PTX files in test/cubin/cubins.

import { readFileSync } from "node:fs";
import { PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";

/** A file of `test/cubin/cubins`. */
export const ptxFile = (name: string): string =>
  readFileSync(new URL(`../cubin/cubins/${name}.ptx`, import.meta.url), "utf8");

/** Compiles a PTX text with the defaults of the machine and without a cache. */
export async function compiled(ptx: string, arch: string, options: Partial<PtxCompilerOptions> = {}) {
  using compiler = new PtxCompiler({ arch, cache: false, workers: 1, ...options });
  return await compiler.compile(ptx);
}
