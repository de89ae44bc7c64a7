// The disassembler of a CUDA toolkit: nvdisasm, or cuobjdump if only that is available.

import type { LoadAttempt } from "../native/load.js";
import { findTool } from "../toolkit/find.js";
import { versionOf } from "../toolkit/version.js";

/** An available disassembler. */
export interface Disassembler {
  readonly name: "cuobjdump" | "nvdisasm";
  readonly path: string;
  /** For example, `13.2.51`. */
  readonly version: string;
}

/** The result of the search. */
export interface DisassemblerSearch {
  readonly found: Disassembler | undefined;
  /** Each place that was searched, up to the one that was found. */
  readonly tried: readonly LoadAttempt[];
}

const NAMES = ["nvdisasm", "cuobjdump"] as const;

/** Searches for nvdisasm, then for cuobjdump. Never throws. */
export function findDisassembler(): DisassemblerSearch {
  const tried: LoadAttempt[] = [];
  for (const name of NAMES) {
    const search = findTool(name, versionOf);
    tried.push(...search.tried.map(({ place, outcome }) => ({ place, outcome: `${name}: ${outcome}` })));
    if (search.found !== undefined) {
      const { path, value: version } = search.found;
      return { found: { name, path, version }, tried };
    }
  }
  return { found: undefined, tried };
}
