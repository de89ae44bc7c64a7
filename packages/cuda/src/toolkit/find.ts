// Finds NVIDIA's libraries and programs that this package uses where available. One table lists the possible names of
// each; every place that was searched is kept with its outcome for error messages and reports.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { LoadAttempt } from "../native/load.js";
import { wrongMachine } from "../native/platform.js";
import {
  byVersion,
  fetchedPlaces,
  LIBRARY_FOLDERS,
  listFolder,
  type Place,
  programFolders,
  pythonPlaces,
  systemFolders,
  toolkitPlaces,
} from "./places.js";

/** The libraries and programs that can be searched for. */
export type ToolName = "nvrtc" | "nvjitlink" | "nvcc" | "ptxas" | "nvdisasm" | "cuobjdump";

interface Tool {
  /** An environment variable that names a file to use before all others. */
  readonly variable: string;
  readonly kind: "library" | "program";
  readonly file: RegExp;
}

const WINDOWS = process.platform === "win32";
const program = (name: string): Pick<Tool, "kind" | "file"> => ({
  kind: "program",
  file: WINDOWS ? new RegExp(`^${name}\\.exe$`, "i") : new RegExp(`^${name}$`),
});
const library = (unix: string, windows: string): Pick<Tool, "kind" | "file"> => ({
  kind: "library",
  file: WINDOWS ? new RegExp(`^${windows}[\\d_]*\\.dll$`, "i") : new RegExp(`^${unix}\\.so(\\.\\d+)*$`),
});

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  nvrtc: { variable: "MM_PTX_NVRTC", ...library("libnvrtc", "nvrtc64_") },
  nvjitlink: { variable: "MM_PTX_NVJITLINK", ...library("libnvJitLink", "nvJitLink_") },
  nvcc: { variable: "MM_PTX_NVCC", ...program("nvcc") },
  ptxas: { variable: "MM_PTX_PTXAS", ...program("ptxas") },
  nvdisasm: { variable: "MM_PTX_NVDISASM", ...program("nvdisasm") },
  cuobjdump: { variable: "MM_PTX_CUOBJDUMP", ...program("cuobjdump") },
};

/** The result of a search. */
export interface Found<T> {
  readonly path: string;
  /** The kind of place, for example `toolkit`. */
  readonly place: string;
  /** The result of opening it. */
  readonly value: T;
}

/** A search, with every place that was tried. */
export interface Search<T> {
  readonly found: Found<T> | undefined;
  readonly tried: readonly LoadAttempt[];
}

/**
 * Opens the first usable file, in this order: the environment variable, PATH (for programs), toolkits, tools that
 * set-up or `mm-ptx fetch` downloaded, Python packages, system folders (for libraries). Never throws.
 *
 * @param open throws if the file is unusable
 */
export function findTool<T>(name: ToolName, open: (path: string) => T): Search<T> {
  const tried: LoadAttempt[] = [];
  for (const { place, folder, path } of candidates(name)) {
    if (path === undefined) {
      tried.push({ place: `${place}: ${folder}`, outcome: "not there" });
      continue;
    }
    try {
      refuseUnusable(path, TOOLS[name]);
      return { found: { path, place, value: open(path) }, tried };
    } catch (error) {
      tried.push({
        place: `${place}: ${path}`,
        outcome: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { found: undefined, tried };
}

/** The environment variable that names a file to use before all others. */
export const variableOf = (name: ToolName): string => TOOLS[name].variable;

interface Candidate {
  readonly place: string;
  readonly folder: string;
  /** Absent if the folder has no such file. */
  readonly path: string | undefined;
}

function* candidates(tool: ToolName): Generator<Candidate> {
  const { variable, kind, file } = TOOLS[tool];
  const named = process.env[variable];
  if (named) yield { place: variable, folder: dirname(named), path: resolve(named) };
  const inFolder = (place: string, folder: string): Candidate => {
    const [name] = listFolder(folder)
      .filter((each) => file.test(each))
      .sort(byVersion);
    return { place, folder, path: name === undefined ? undefined : resolve(folder, name) };
  };
  const within = kind === "library" ? LIBRARY_FOLDERS : ["bin"];
  const inPlace = ({ name, folder }: Place): Candidate => {
    const all = within.map((part) => inFolder(name, join(folder, part)));
    return all.find(({ path }) => path !== undefined) ?? { place: name, folder, path: undefined };
  };
  if (kind === "program") {
    const all = programFolders().map((folder) => inFolder("PATH", folder));
    const there = all.filter(({ path }) => path !== undefined);
    yield* there.length > 0
      ? there
      : [{ place: "PATH", folder: programFolders().join(", "), path: undefined }];
  }
  for (const places of [toolkitPlaces, fetchedPlaces, pythonPlaces])
    yield* places()
      .filter(({ only = tool }) => only === tool)
      .map(inPlace);
  if (kind === "library") yield* systemFolders().map((folder) => inFolder("system", folder));
}

/** The loader crashes on some files that are not libraries, so they are checked first. */
function refuseUnusable(path: string, { kind }: Tool): void {
  if (!existsSync(path) || !statSync(path).isFile()) throw new Error("not there");
  if (kind === "program") accessSync(path, constants.X_OK);
  const problem = kind === "library" && !WINDOWS ? wrongMachine(path) : undefined;
  if (problem !== undefined) throw new Error(problem);
}

/** A file and its size and time, which change when another version is installed in its place. */
export function fileIdentity(path: string): readonly unknown[] {
  const found = statSync(path, { throwIfNoEntry: false });
  return [path, found?.size, found?.mtimeMs];
}

/** Files next to a library that match `names`; they belong to the same version. */
export function companionsOf(path: string, names: RegExp): string[] {
  const folder = dirname(path);
  return listFolder(folder)
    .filter((name) => names.test(name) && !name.includes(".alt.") && name !== basename(path))
    .map((name) => join(folder, name));
}
