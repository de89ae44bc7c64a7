// What compiles PTX on this machine, or the sentence that says why nothing does.

import { type BackendName, capabilities, PtxCompileError, PtxCompiler } from "@mm-ptx/cuda";
import type { Settings } from "./options.js";

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

/** What a compiler is made with. */
type Needs = Pick<Settings, "arch" | "workers" | "cache">;

/**
 * Looks for a compiler. None is a finding, not a failure: programs, stubs and PTX need none.
 *
 * @throws PtxCompileError for anything but a missing backend
 */
export function findCompiler({ arch, workers, cache }: Needs): FoundCompiler {
  try {
    const compiler = new PtxCompiler({ arch, workers, cache });
    const { backend, version } = compiler;
    if (backend !== "ptxas")
      return { compiler, backend, version, name: `nvPTXCompiler ${version} (${backend})` };
    const missing = missingPart();
    const why = `because ${missing.part} is missing (${tried("in-process").join("; ")})${missing.cure && `: ${missing.cure}`}`;
    const warning = `ptxas compiles, one process a program, ${why}`;
    return { compiler, backend, version, name: `ptxas ${version}`, warning };
  } catch (error) {
    if (!(error instanceof PtxCompileError) || error.code !== "BACKEND_MISSING") throw error;
    const found = [...tried("in-process"), ...tried("ptxas")].join("; ");
    const { cure } = missingPart();
    const cures = `${cure && `${cure}, or `}put ptxas of a CUDA toolkit on PATH`;
    const warning = `nothing can compile PTX here (${found}), so stubs are only made and rendered (compiled: 0): ${cures}`;
    return { compiler: undefined, warning };
  }
}

/** What set-up would have to build, and what it needs for that; no cure where it builds nothing for the platform. */
function missingPart(): { readonly part: string; readonly cure: string } {
  const attempts = tried("in-process");
  // Set-up builds into the place that is looked at last. A platform without a package has no such place.
  const last = attempts.at(-1) ?? "";
  if (last.startsWith("platform package: ")) return { part: "the addon", cure: "" };
  // The library is only looked at when the addon beside it has loaded.
  if (last.includes(": libmmptxc.so: "))
    return {
      part: "the addon's compiler library",
      cure: "`npm run setup` builds the compiler library where there is Python 3 with pip, or where MM_PTX_NVPTXCOMPILER_DIR or CUDA_HOME names a folder with nvPTXCompiler",
    };
  return {
    part: "the addon",
    cure: "`npm run setup` builds the addon where there are a C++ compiler, make and CMake",
  };
}

/** What was found in the places where a backend was looked for. */
function tried(name: BackendName): readonly string[] {
  return capabilities().backends.find((backend) => backend.name === name)?.tried ?? [];
}
