// The disassembler of a CUDA toolkit: nvdisasm, and cuobjdump where only that is there.

import { spawnSync } from "node:child_process";
import type { LoadAttempt } from "../native/load.js";
import { findTool } from "../toolkit/find.js";

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
const TIMEOUT_MS = 10_000;

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

function versionOf(path: string): string {
  const { stdout, error } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error !== undefined) throw error;
  const version = /V(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error("tells no version");
  return version;
}
