// The annotated kernel as PTX: compiled from kernel.cu if nvcc or NVRTC is installed, otherwise the committed file.
// Programs are injected at its single site.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CudaCompileError, type CudaCompiler, type CudaResult } from "@mm-ptx/cuda";
import { type AnnotatedPtx, type Injection, parsePtx } from "@mm-ptx/inject";
import { comparePtxVersions, readModule } from "@mm-ptx/ptx";
import { messageOf, QuickstartError } from "./error.js";

/** The annotated site of kernel.cu that every program is rendered into. */
const SITE = "func";
const SOURCE_NAME = "kernel.cu";
const SOURCE = fileURLToPath(new URL(`../${SOURCE_NAME}`, import.meta.url));
/** The oldest architecture, so that every later one accepts the PTX. */
const ARCH = "sm_75";
const TIMEOUT_MS = 60_000;
const COMMITTED = fileURLToPath(new URL("../kernel.ptx", import.meta.url));
/** The SHA-256 of the kernel.cu that the committed PTX was compiled from, with line feeds as line ends. */
const COMMITTED_SOURCE = "a2146ffd0e23afce2325e9f3b23ee67823487d82228486568635136093fafabb";

export interface Kernel {
  readonly annotated: AnnotatedPtx;
  readonly site: Injection;
  /** The text of the kernel with a stub at the site. */
  readonly render: (stub: string) => string;
  /** The target and version that the PTX is written for: `.target` and `.version`. */
  readonly target: string;
  readonly ptxVersion: string;
  /** The names of the kernel entries, which each cubin must contain. */
  readonly entries: readonly string[];
  /** What made the PTX, in a few words for the report. */
  readonly origin: string;
  /** Why the committed PTX is used although this machine can compile CUDA; a whole sentence. */
  readonly warning?: string;
}

/**
 * Reads the PTX that a compiler makes of kernel.cu, or the committed PTX if there is no usable compiler. A machine that
 * cannot compile CUDA is a problem only after kernel.cu was edited. So is a mistake in kernel.cu: whoever made it wants
 * that kernel and no other.
 *
 * @throws QuickstartError `KERNEL` if kernel.cu is wrong or was edited and cannot be compiled, or the committed PTX
 *   cannot be read or lacks the site.
 */
export async function loadKernel(cuda: CudaCompiler | undefined, signal: AbortSignal): Promise<Kernel> {
  const committed = readCommitted();
  const kept = (): Kernel => readKernel(committed, "committed PTX");
  if (!existsSync(SOURCE)) return kept();
  const source = readFileSync(SOURCE, "utf8");
  const expectUnedited = (why: string, cause?: unknown): void => {
    // Git may check it out with other line ends.
    const text = source.replaceAll("\r\n", "\n");
    if (createHash("sha256").update(text).digest("hex") !== COMMITTED_SOURCE) throw edited(why, cause);
  };
  if (cuda === undefined) {
    expectUnedited("found neither nvcc nor NVRTC; `npm run setup -- --with nvrtc` fetches the latter");
    return kept();
  }
  const name = `${cuda.backend === "nvrtc" ? "NVRTC" : cuda.backend} ${cuda.version}`;
  const keep = (why: string, cause?: unknown): Kernel => {
    expectUnedited(`but ${why}`, cause);
    return { ...kept(), warning: `${why}; the committed PTX is used` };
  };
  let result: CudaResult<"ptx">;
  try {
    result = await compileSource(source, cuda, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (blamesSource(error)) throw new QuickstartError("KERNEL", messageOf(error), { cause: error });
    return keep(`${name} made no usable PTX (${messageOf(error).split("\n")[0]})`, error);
  }
  const { ptx: made, warnings } = result;
  const [version, known] = [made, committed].map((text) => readModule(text, { tolerant: true }).version);
  if (version !== undefined && known !== undefined && comparePtxVersions(version, known) > 0)
    return keep(`${name} writes PTX ${version}, newer than the compiler may know`);
  const unannotated = warnings.find(({ message }) => message.includes("annotateCuda"))?.message;
  return readKernel(made, `made anew by ${name}`, unannotated);
}

/** The committed PTX belongs to another kernel.cu, and nothing made PTX of this one. */
function edited(why: string, cause: unknown): QuickstartError {
  const message = `expected a compiler for kernel.cu, which was edited since kernel.ptx was made of it, ${why}`;
  return new QuickstartError("KERNEL", message, { cause });
}

async function compileSource(
  source: string,
  cuda: CudaCompiler,
  signal: AbortSignal,
): Promise<CudaResult<"ptx">> {
  return cuda.compile(source, {
    arch: ARCH,
    name: SOURCE_NAME,
    includes: [dirname(SOURCE)],
    signal,
    timeoutMs: TIMEOUT_MS,
  });
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
function readKernel(text: string, origin: string, hint?: string): Kernel {
  const annotated = parsePtx(text);
  const { version: ptxVersion, target, entries } = readModule(text, { tolerant: true });
  if (target === undefined || ptxVersion === undefined || entries.length === 0) {
    throw new QuickstartError(
      "KERNEL",
      `expected PTX with \`.version\`, \`.target\` and an entry (${origin}), found other text`,
    );
  }
  const names = annotated.injections.map((injection) => injection.name);
  if (!names.includes(SITE)) {
    throw new QuickstartError(
      "KERNEL",
      `expected a site \`${SITE}\` in the kernel (${origin}), found ${names.length === 0 ? "none" : names.map((each) => `\`${each}\``).join(", ")}${hint === undefined ? "" : `; ${hint}`}`,
    );
  }
  const site = annotated.injection(SITE);
  return {
    annotated,
    site,
    render: (stub) => annotated.render({ [SITE]: stub }),
    target,
    ptxVersion,
    entries: entries.map(({ name }) => name),
    origin,
  };
}
