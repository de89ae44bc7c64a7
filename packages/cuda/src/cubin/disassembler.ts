// Where the disassemblers of a CUDA toolkit are: nvdisasm, and cuobjdump where only that is there.

import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A disassembler that was found. */
export interface Disassembler {
  readonly name: "cuobjdump" | "nvdisasm";
  readonly path: string;
}

/** What was looked for. */
export interface DisassemblerSearch {
  readonly found: Disassembler | undefined;
  /** Each place and what was there, up to the one that serves. */
  readonly tried: readonly string[];
}

const NAMES = ["nvdisasm", "cuobjdump"] as const;
const SUFFIX = process.platform === "win32" ? ".exe" : "";
/** What `npm run setup -- --with nvdisasm` fetches in a clone. */
const FETCHED = fileURLToPath(new URL("../../../../.deps/", import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks on PATH, in the folders of a toolkit, and in a clone where set-up has fetched it. Never throws. */
export function searchDisassembler(environment: Environment = process.env): DisassemblerSearch {
  const tried: string[] = [];
  for (const { place, folders } of places(environment)) {
    for (const folder of folders) {
      for (const name of NAMES) {
        const path = join(folder, name + SUFFIX);
        const problem = notExecutable(path);
        if (problem === undefined) return { found: { name, path }, tried };
        if (problem !== "not there") tried.push(`${place}: ${path}: ${problem}`);
      }
    }
    tried.push(
      `${place}: neither ${NAMES.join(" nor ")}${folders.length === 0 ? "" : ` in ${folders.join(", ")}`}`,
    );
  }
  return { found: undefined, tried };
}

interface Place {
  readonly place: string;
  readonly folders: readonly string[];
}

function places({ PATH = "", CUDA_HOME, CUDA_PATH }: Environment): Place[] {
  const toolkit = (place: string, root: string | undefined): Place[] =>
    root === undefined || root === "" ? [] : [{ place, folders: [join(root, "bin")] }];
  return [
    { place: "PATH", folders: PATH.split(delimiter).filter((folder) => folder !== "") },
    ...toolkit("CUDA_HOME", CUDA_HOME),
    ...toolkit("CUDA_PATH", CUDA_PATH),
    ...(process.platform === "linux" ? toolkit("the system's toolkit", "/usr/local/cuda") : []),
    ...inClone(),
  ];
}

function inClone(): Place[] {
  try {
    const names = readdirSync(FETCHED).filter((name) => name.startsWith("nvdisasm-"));
    return names.map((name) => ({ place: "the clone", folders: [join(FETCHED, name, "bin")] }));
  } catch {
    return [];
  }
}

function notExecutable(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return "no file";
  } catch {
    return "not there";
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return "not executable";
  }
}
