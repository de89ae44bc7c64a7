// What compiles PTX on this machine, or the sentence that says why nothing does.

import { type BackendName, capabilities, PtxCompileError, PtxCompiler } from "@mm-ptx/cuda";

/** A compiler ready for work, or why there is none. */
export type FoundCompiler =
  | {
      readonly compiler: PtxCompiler;
      readonly backend: BackendName;
      /** Of the compiler that is linked or started, for example `13.0.88`. */
      readonly version: string;
      /** Both in words. */
      readonly name: string;
      /** Why the one that is meant to serve does not; a whole sentence. */
      readonly warning?: string;
    }
  | {
      readonly compiler: undefined;
      /** A whole sentence with the cure. */
      readonly warning: string;
    };

const CURE = "`npm run setup` builds the addon where there is a C++ compiler";

/**
 * Looks for a compiler. None is a finding, not a failure: programs, stubs and PTX need none.
 *
 * @throws PtxCompileError for anything but a missing backend
 */
export function findCompiler(options: { readonly arch: string; readonly workers: number }): FoundCompiler {
  try {
    const compiler = new PtxCompiler({ ...options, backend: "auto" });
    const { backend, version } = compiler;
    if (backend !== "ptxas")
      return { compiler, backend, version, name: `nvPTXCompiler ${version} (${backend})` };
    const warning = `ptxas compiles, one process a program, because the addon is missing (${tried("in-process")}): ${CURE}`;
    return { compiler, backend, version, name: `ptxas ${version}`, warning };
  } catch (error) {
    if (!(error instanceof PtxCompileError) || error.code !== "BACKEND_MISSING") throw error;
    const found = `${tried("in-process")}; ${tried("ptxas")}`;
    const warning = `nothing can compile PTX here (${found}), so stubs are only made and rendered (compiled: 0): ${CURE}, or put ptxas on PATH`;
    return { compiler: undefined, warning };
  }
}

/** What was found in the places where a backend was looked for. */
function tried(name: BackendName): string {
  return (capabilities().backends.find((backend) => backend.name === name)?.tried ?? []).join("; ");
}
