// Where parts of the CUDA toolkit may be on this machine: folders that are laid out like a toolkit, Python's packages, and
// the system's own folders. Nothing is opened here.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with `lib`, `include` or `bin` in it, and how it came into consideration. */
export interface Place {
  readonly name: string;
  readonly folder: string;
}

const TARGET = `targets/${process.arch === "arm64" ? "sbsa" : "x86_64"}-linux`;
/** Of a toolkit: where its libraries may be, and its headers. */
export const LIBRARY_FOLDERS = ["lib64", "lib", `${TARGET}/lib`, "bin", "lib/x64"] as const;
export const INCLUDE_FOLDERS = ["include", `${TARGET}/include`] as const;

const TRIPLE = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

/** Installed toolkits: those that the environment names, then those in the usual place, newest first. */
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

/** What `npm run setup -- --with …` fetched into a clone of the repository. */
export function fetchedPlaces(): Place[] {
  const folder = fileURLToPath(new URL("../../../../.deps", import.meta.url));
  return listFolder(folder)
    .sort(byVersion)
    .map((name) => ({ name: "set-up", folder: join(folder, name) }));
}

/** NVIDIA's packages of the Python that is first on PATH, or of the active environment. */
export function pythonPlaces(): Place[] {
  return sitePackages().flatMap((site) =>
    listFolder(join(site, "nvidia"))
      .sort(byVersion)
      .map((name) => ({ name: "Python package", folder: join(site, "nvidia", name) })),
  );
}

/** Folders that hold libraries themselves. */
export function systemFolders(): string[] {
  const own = (process.env.LD_LIBRARY_PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...own, `/usr/lib/${TRIPLE}`, `/lib/${TRIPLE}`, "/usr/lib64", "/usr/lib", "/usr/local/lib"];
}

/** Folders that hold programs themselves. */
export function programFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** The names in a folder; none when it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Newest version first; before all a name without one, which is what an administrator chose. */
export function byVersion(a: string, b: string): number {
  const [bare, other] = [/\d/.test(a), /\d/.test(b)];
  if (bare !== other) return bare ? 1 : -1;
  return b.localeCompare(a, "en", { numeric: true });
}

const ASK_PYTHON =
  "import json, site; print(json.dumps(site.getsitepackages() + [site.getusersitepackages()]))";
const sites = new Map<string, readonly string[]>();

/** Asked once for each value of PATH, because starting Python takes some 20 ms. */
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
