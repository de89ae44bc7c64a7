// nvJitLink as the library of the addon's pool. NVIDIA distributes it as a shared library, so it is found at run time.

import { versionsUpTo } from "../ptx/ptx-versions.js";
import { findTool } from "../toolkit/find.js";
import { findAddon, type LoadResult } from "./load.js";

/** The addon with the first nvJitLink that can be opened. */
export function loadPtxLinker(): LoadResult {
  const { native: found, attempts } = findAddon();
  if (found === undefined) return { native: undefined, attempts };
  if (found.workerPath === undefined) {
    return { native: undefined, attempts: [{ place: "worker processes", outcome: found.workerProblem! }] };
  }
  const search = findTool("nvjitlink", (path) => found.addon.openLibrary(path));
  if (search.found === undefined) return { native: undefined, attempts: search.tried };
  const { path: libraryPath, value } = search.found;
  // It only tells the newest one.
  const ptxVersions = value.ptxVersions.flatMap(([major, minor]) => versionsUpTo(`${major}.${minor}`));
  return {
    native: { ...found, libraryPath, compilerVersion: value.version, ptxVersions },
    attempts: search.tried,
  };
}
