// The places on this machine where parts of the CUDA toolkit may be: folders with a toolkit's layout, Python packages,
// and system folders. Nothing is opened here.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { examineFolder } from "../cache/trust.js";
import { COMPILER_NAMES } from "../fetch/compilers.js";
import { fetchedFolder } from "../fetch/places.js";

/** A folder that contains `lib`, `include` or `bin`, and what kind of place it is. */
export interface Place {
  readonly name: string;
  readonly folder: string;
  /** The only tool that it can have, if it was fetched for that. */
  readonly only?: string;
}

const TARGET = `targets/${process.arch === "arm64" ? "sbsa" : "x86_64"}-linux`;
/** The folders of a toolkit that may hold its libraries, and those that may hold its headers. */
export const LIBRARY_FOLDERS = ["lib64", "lib", `${TARGET}/lib`, "bin", "bin/x86_64", "lib/x64"] as const;
export const INCLUDE_FOLDERS = ["include", `${TARGET}/include`] as const;

const TRIPLE = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Installed toolkits: first those that the environment names, then those in the usual location, newest first. */
export function toolkitPlaces(): Place[] {
  const named = ["CUDA_HOME", "CUDA_PATH"].flatMap((name) => {
    const folder = process.env[name];
    return folder ? [{ name, folder }] : [];
  });
  const installed = listFolder("/usr/local")
    .filter((name) => name === "cuda" || name.startsWith("cuda-"))
    .sort(byVersion)
    .map((name) => `/usr/local/${name}`);
  return [...named, ...installed.map((folder) => ({ name: "toolkit", folder }))];
}

/**
 * Tools that `npm run setup -- --with …` fetched into a clone of the repository, and the compilers that
 * `mm-ptx fetch` downloaded, unless others can replace them.
 */
export function fetchedPlaces(): Place[] {
  const folder = fileURLToPath(new URL("../../../../.deps", import.meta.url));
  const clone = listFolder(folder)
    .sort(byVersion)
    .map((name) => ({ name: "set-up", folder: join(folder, name) }));
  const fetched = COMPILER_NAMES.flatMap((only): Place[] => {
    const examined = examineFolder(fetchedFolder(only));
    return examined === undefined || examined.problem !== undefined
      ? []
      : [{ name: "fetched", folder: examined.path, only }];
  });
  return [...clone, ...fetched];
}

/** NVIDIA's packages for the first Python on PATH, or for the active environment. */
export function pythonPlaces(): Place[] {
  return sitePackages().flatMap((site) =>
    listFolder(join(site, "nvidia"))
      .sort(byVersion)
      .map((name) => ({ name: "Python package", folder: join(site, "nvidia", name) })),
  );
}

/** Folders that directly contain libraries. */
export function systemFolders(): string[] {
  const own = (process.env.LD_LIBRARY_PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...own, `/usr/lib/${TRIPLE}`, `/lib/${TRIPLE}`, "/usr/lib64", "/usr/lib", "/usr/local/lib"];
}

/** Folders that directly contain programs. */
export function programFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** The names in a folder; empty if it can't be read. */
export function listFolder(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Sorts the newest version first; a name without a version, which an administrator chose, precedes all others. */
export function byVersion(a: string, b: string): number {
  const [bare, other] = [/\d/.test(a), /\d/.test(b)];
  if (bare !== other) return bare ? 1 : -1;
  return b.localeCompare(a, "en", { numeric: true });
}

const ASK_PYTHON =
  "import json, site; print(json.dumps(site.getsitepackages() + [site.getusersitepackages()]))";
const sites = new Map<string, readonly string[]>();

/** Queried once for each value of PATH, because starting Python takes about 20 ms. */
function sitePackages(): readonly string[] {
  const path = process.env.PATH ?? "";
  let found = sites.get(path);
  if (found === undefined) {
    found = askPython();
    sites.set(path, found);
  }
  return found;
}

function askPython(): readonly string[] {
  for (const python of process.platform === "win32" ? ["python"] : ["python3", "python"]) {
    const { status, stdout } = spawnSync(python, ["-c", ASK_PYTHON], {
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    if (status !== 0) continue;
    try {
      return (JSON.parse(stdout) as unknown[]).filter((each) => typeof each === "string");
    } catch {}
  }
  return [];
}
