// The annotated kernel as PTX: made anew where nvcc or NVRTC is there, otherwise the file beside kernel.cu. Programs are
// injected at its one site.

import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CudaCompileError, type CudaCompiler } from "@mm-ptx/cuda";
import { type Injection, parsePtx } from "@mm-ptx/inject";
import { readModule } from "@mm-ptx/ptx";
import type { PtxTemplate } from "@mm-ptx/types/core";
import { messageOf, QuickstartError } from "./error.js";

/** The annotated site of kernel.cu that every program is rendered into. */
const SITE = "func";
const SOURCE_NAME = "kernel.cu";
const SOURCE = fileURLToPath(new URL(`../${SOURCE_NAME}`, import.meta.url));
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
 * Reads the committed PTX, and replaces it by what a compiler makes of kernel.cu when there is a usable one. That the
 * machine cannot compile it is no matter; that the source is wrong is, as whoever wrote it wants that and no other kernel.
 *
 * @throws QuickstartError `KERNEL` when kernel.cu is wrong, or the committed PTX can't be read or lacks the site.
 */
export async function loadKernel(cuda: CudaCompiler | undefined, signal: AbortSignal): Promise<Kernel> {
  const committed = readKernel(readCommitted(), "committed PTX");
  if (cuda === undefined || !existsSync(SOURCE)) return committed;
  const name = `${cuda.backend === "nvrtc" ? "NVRTC" : cuda.backend} ${cuda.version}`;
  const keep = (why: string): Kernel => ({ ...committed, warning: `${why}; the committed PTX is used` });
  let made: string;
  try {
    made = await compileSource(cuda, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (blamesSource(error)) throw new QuickstartError("KERNEL", messageOf(error), { cause: error });
    return keep(`${name} made no usable PTX (${messageOf(error).split("\n")[0]})`);
  }
  const kernel = readKernel(made, `made anew by ${name}`);
  if (!isNewer(kernel.ptxVersion, committed.ptxVersion)) return kernel;
  return keep(`${name} writes PTX ${kernel.ptxVersion.join(".")}, newer than the compiler may know`);
}

async function compileSource(cuda: CudaCompiler, signal: AbortSignal): Promise<string> {
  const source = readFileSync(SOURCE, "utf8");
  const { ptx } = await cuda.compile(source, {
    arch: ARCH,
    name: SOURCE_NAME,
    includes: [dirname(SOURCE)],
    signal,
    timeoutMs: TIMEOUT_MS,
  });
  return ptx;
}

/** Whether the compiler has found something wrong in kernel.cu itself. */
function blamesSource(error: unknown): boolean {
  if (!(error instanceof CudaCompileError)) return false;
  return error.diagnostics.some(
    ({ severity, file }) => file === SOURCE_NAME && (severity === "error" || severity === "fatal"),
  );
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

/** @throws QuickstartError `KERNEL` when the text is no PTX or has no such site; PtxInjectError when the site is damaged */
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
  const names = annotated.injections.map((injection) => injection.name);
  if (!names.includes(SITE)) {
    throw new QuickstartError(
      "KERNEL",
      `expected a site \`${SITE}\` in the kernel (${origin}), found ${names.length === 0 ? "none" : names.map((each) => `\`${each}\``).join(", ")}`,
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
