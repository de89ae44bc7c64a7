// The workspace as its tests see it: the packages with their manifests and their sources.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly man?: readonly string[];
  readonly files?: readonly string[];
  readonly private?: boolean;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly bin?: Record<string, string>;
  /** The operating systems of a platform package. */
  readonly os?: readonly string[];
  readonly exports?: Record<string, string | Record<string, string>>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
}

/** Folders directly below `parent` that are packages, for example `packages/stack`. */
export function packagesIn(parent: string): string[] {
  if (!existsSync(join(ROOT, parent))) return [];
  return readdirSync(join(ROOT, parent))
    .map((name) => posix.join(parent, name))
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .sort();
}

/** The source files below a folder, relative to the root. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mts|js|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort();
}

/** The entries of a package that are modules, by subpath: `.` to `packages/stack/src/index.ts`. */
export function moduleEntries(folder: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [subpath, target] of Object.entries(readManifest(folder).exports ?? {})) {
    const file = typeof target === "string" ? target : target.types;
    if (file?.endsWith(".d.ts")) {
      entries.set(
        subpath,
        posix
          .join(folder, file)
          .replace("/dist/", "/src/")
          .replace(/\.d\.ts$/, ".ts"),
      );
    }
  }
  return entries;
}
