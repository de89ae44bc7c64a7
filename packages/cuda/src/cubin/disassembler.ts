// The disassembler of a CUDA toolkit: nvdisasm, and cuobjdump where only that is there.

import type { LoadAttempt } from "../native/load.js";
import { findTool } from "../toolkit/find.js";
import { versionOf } from "../toolkit/version.js";

/** A disassembler that was found. */
export interface Disassembler {
  readonly name: "cuobjdump" | "nvdisasm";
  readonly path: string;
  /** For example `13.2.51`. */
  readonly version: string;
}

/** What was looked for. */
export interface DisassemblerSearch {
  readonly found: Disassembler | undefined;
  /** Each place and what was there, up to the one that serves. */
  readonly tried: readonly LoadAttempt[];
}

const NAMES = ["nvdisasm", "cuobjdump"] as const;

/** Looks for the one, then for the other. Never throws. */
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
