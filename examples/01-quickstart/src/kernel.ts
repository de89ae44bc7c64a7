// The annotated kernel as PTX: made anew where nvcc or NVRTC is there, otherwise the file beside kernel.cu. Programs are
// injected at its one site.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CudaCompiler } from "@mm-ptx/cuda";
import { type Injection, parsePtx } from "@mm-ptx/inject";
import { readModule } from "@mm-ptx/ptx";
import type { PtxTemplate } from "@mm-ptx/types/core";
import { messageOf, QuickstartError } from "./error.js";

/** The annotated site of kernel.cu that every program is rendered into. */
const SITE = "func";
const SOURCE = fileURLToPath(new URL("../kernel.cu", import.meta.url));
/** The least architecture, so that every later one takes the PTX. */
const ARCH = "sm_75";
const TIMEOUT_MS = 60_000;
const COMMITTED = fileURLToPath(new URL("../kernel.ptx", import.meta.url));

/** Major and minor. */
export type PtxVersion = readonly [number, number];

export interface Kernel {
  /** The annotated PTX as text. */
  readonly text: string;
  /** The text with a hole for the stub of each program. */
  readonly template: PtxTemplate;
  readonly site: Injection;
  /** The text with a stub at the site. Compilers render for themselves, from the template. */
  readonly render: (stub: string) => string;
  /** What the PTX is written for: `.target` and `.version`. */
  readonly target: string;
  readonly ptxVersion: PtxVersion;
  /** The names of the kernel entries, which each cubin must have. */
  readonly entries: readonly string[];
  /** Who made the PTX, in a few words for the report. */
  readonly origin: string;
  /** Why the committed PTX is used although CUDA can be compiled here; a whole sentence. */
  readonly warning?: string;
}

/**
 * Reads the committed PTX, and replaces it by what a compiler makes of kernel.cu when there is a usable one.
 *
 * @throws QuickstartError `KERNEL` when the committed PTX can't be read or lacks the site.
 */
export async function loadKernel(cuda: CudaCompiler | undefined, signal: AbortSignal): Promise<Kernel> {
  const committed = readKernel(readCommitted(), "committed PTX");
  if (cuda === undefined || !existsSync(SOURCE)) return committed;
  const name = `${cuda.backend === "nvrtc" ? "NVRTC" : cuda.backend} ${cuda.version}`;
  const keep = (why: string): Kernel => ({ ...committed, warning: `${why}; the committed PTX is used` });
  try {
    const { ptx } = await cuda.compile(readFileSync(SOURCE, "utf8"), {
      arch: ARCH,
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    const made = readKernel(ptx, `made anew by ${name}`);
    if (!isNewer(made.ptxVersion, committed.ptxVersion)) return made;
    return keep(`${name} writes PTX ${made.ptxVersion.join(".")}, newer than the compiler may know`);
  } catch (error) {
    signal.throwIfAborted();
    return keep(`${name} made no usable PTX (${messageOf(error).split("\n")[0]})`);
  }
}

function readCommitted(): string {
  try {
    return readFileSync(COMMITTED, "utf8");
  } catch (error) {
    throw new QuickstartError(
      "KERNEL",
      `expected the kernel's PTX beside its source, found none: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** @throws QuickstartError `KERNEL` when the text is no PTX; PtxInjectError when the site is damaged or missing */
function readKernel(text: string, origin: string): Kernel {
  const annotated = parsePtx(text);
  const { version, target, entries } = readModule(text, { tolerant: true });
  const [major = Number.NaN, minor = Number.NaN] = (version ?? "").split(".").map(Number);
  if (target === undefined || Number.isNaN(major + minor) || entries.length === 0) {
    throw new QuickstartError(
      "KERNEL",
      `expected PTX with \`.version\`, \`.target\` and an entry (${origin}), found other text`,
    );
  }
  const site = annotated.injection(SITE);
  return {
    text,
    template: annotated.template(),
    site,
    render: (stub) => annotated.render({ [SITE]: stub }),
    target,
    ptxVersion: [major, minor],
    entries: entries.map(({ name }) => name),
    origin,
  };
}

function isNewer(a: PtxVersion, b: PtxVersion): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
}
