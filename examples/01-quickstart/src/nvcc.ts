// nvcc, where there is one: kernel.cu to annotated PTX, in a temporary folder, so that the source tree stays as it is.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findOnPath, runTool } from "./run-tool.js";

/** The least architecture, so that every later one takes the PTX. */
const VIRTUAL_ARCH = "compute_75";
const TIMEOUT_MS = 60_000;

export interface Nvcc {
  readonly path: string;
  /** For example `13.0.88`. */
  readonly version: string;
}

/** The nvcc on PATH; `undefined` when there is none or it does not say which it is. */
export async function findNvcc(signal: AbortSignal): Promise<Nvcc | undefined> {
  const path = findOnPath("nvcc");
  if (path === undefined) return undefined;
  const said = await runTool(path, ["--version"], signal, TIMEOUT_MS).catch(() => "");
  const version = /\bV(\d+\.\d+\.\d+)\b/.exec(said)?.[1];
  return version === undefined ? undefined : { path, version };
}

/** The PTX of a CUDA source. @throws Error with what nvcc said */
export async function makePtx(nvcc: Nvcc, source: string, signal: AbortSignal): Promise<string> {
  const include = dirname(fileURLToPath(import.meta.resolve("@mm-ptx/inject/ptx_inject.h")));
  const folder = await mkdtemp(join(tmpdir(), "mm-ptx-quickstart-"));
  try {
    const made = join(folder, "kernel.ptx");
    await runTool(
      nvcc.path,
      [`-arch=${VIRTUAL_ARCH}`, "-ptx", "-I", include, source, "-o", made],
      signal,
      TIMEOUT_MS,
    );
    return await readFile(made, "utf8").catch((cause) => {
      throw new Error("it wrote no file", { cause });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
