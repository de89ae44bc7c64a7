// What compiles PTX on this machine, or a sentence that says why nothing does.

import {
  type BackendName,
  capabilities,
  PtxCompileError,
  PtxCompiler,
  type PtxCompilerOptions,
} from "@mm-ptx/cuda";
import type { LocalFarm } from "./farm.js";
import type { Settings } from "./options.js";

/** A compiler that is ready for work, or the reason why nothing compiles. */
export type FoundCompiler =
  | {
      readonly compiler: PtxCompiler;
      /** Compiles in the least time, and anew in each run. */
      readonly drafter: PtxCompiler;
      readonly backend: BackendName;
      /** The version of the compiler that is linked or started, for example `13.0.88`. */
      readonly version: string;
      /** The backend and the version in words. */
      readonly name: string;
      /** Why the preferred backend is not used; a whole sentence. */
      readonly warning?: string;
    }
  | {
      readonly compiler: undefined;
      /** A whole sentence that says what to do about it. */
      readonly warning: string;
    };

/** The settings that a compiler is created with. */
type Needs = Pick<Settings, "arch" | "workers" | "cache">;

/**
 * Looks for a compiler. Finding none is a result and not a failure, because programs, stubs and PTX need none.
 *
 * @param farm the farm that compiles; by default, this machine does
 * @throws PtxCompileError for anything but a missing backend
 */
export function findCompiler({ arch, workers, cache }: Needs, farm?: LocalFarm): FoundCompiler {
  const make = (options: PtxCompilerOptions): PtxCompiler =>
    farm === undefined ? new PtxCompiler(options) : farm.compiler(options);
  try {
    const compiler = make({ arch, workers, cache });
    const drafter = make({ arch, workers, effort: "draft", cache: false });
    const { backend, version } = compiler;
    if (backend !== "ptxas")
      return {
        compiler,
        drafter,
        backend,
        version,
        name: `nvPTXCompiler ${version} (${farm === undefined ? backend : "farm"})`,
      };
    const missing = missingPart();
    const why = `because ${missing.part} is missing (${tried("in-process").join("; ")})${missing.cure && `: ${missing.cure}`}`;
    const warning = `ptxas compiles, with a process for each program, ${why}`;
    return { compiler, drafter, backend, version, name: `ptxas ${version}`, warning };
  } catch (error) {
    if (!(error instanceof PtxCompileError) || error.code !== "UNAVAILABLE") throw error;
    const found = [...tried("in-process"), ...tried("ptxas")].join("; ");
    const { cure } = missingPart();
    const cures = `${cure && `${cure}, or `}put ptxas of a CUDA toolkit on PATH`;
    const warning = `nothing can compile PTX here (${found}), so stubs are only made and rendered (compiled: 0): ${cures}`;
    return { compiler: undefined, warning };
  }
}

/**
 * The part that set-up would have to build, and what set-up needs for that; the cure is empty if it builds nothing for
 * the platform.
 */
function missingPart(): { readonly part: string; readonly cure: string } {
  const attempts = tried("in-process");
  // Set-up builds into the place that is searched last. A platform without a package has no such place.
  const last = attempts.at(-1) ?? "";
  if (last.startsWith("platform package: ")) return { part: "the addon", cure: "" };
  // The library is only looked for after the addon beside it has loaded.
  if (last.includes(": libmmptxc.so: "))
    return {
      part: "the addon's compiler library",
      cure: "`npm run setup` builds the compiler library if you have Python 3 with pip, or if MM_PTX_NVPTXCOMPILER_DIR or CUDA_HOME names a folder with nvPTXCompiler",
    };
  return {
    part: "the addon",
    cure: "`npm run setup` builds the addon if you have a C++ compiler, make and CMake",
  };
}

/** What was found in the places that were searched for a backend. */
function tried(name: BackendName): readonly string[] {
  return capabilities().backends.find((backend) => backend.name === name)?.tried ?? [];
}
