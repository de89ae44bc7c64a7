// Where fetched programs and libraries are kept: in the user's cache folder, which may be deleted at any time.

import { readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { defaultCacheFolder } from "../cache/location.js";
import { COMPILERS, type CompilerName } from "./compilers.js";

/** The folders in the cache's folder: compilers, and the programs that other packages fetch. */
const FOLDERS = ["compilers", "programs"] as const;

/** The folder of a fetched compiler, which has the layout of a toolkit. */
export function fetchedFolder(name: CompilerName): string {
  const { project, version } = COMPILERS[name];
  return join(defaultCacheFolder(), "compilers", `${project}-${version}`);
}

/** Something that was fetched, or that a fetch that was killed left behind. */
export interface FetchedItem {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
}

/** Everything that was fetched into a folder of the cache. */
export function fetchedIn(cacheFolder: string): FetchedItem[] {
  return FOLDERS.flatMap((part) =>
    namesIn(join(cacheFolder, part)).map((name) => {
      const folder = join(cacheFolder, part, name);
      return { name, folder, bytes: bytesIn(folder) };
    }),
  );
}

/** Deletes everything that was fetched into a folder of the cache; what cannot be deleted throws. */
export function removeFetched(cacheFolder: string): readonly FetchedItem[] {
  const found = fetchedIn(cacheFolder);
  for (const { folder } of found) rmSync(folder, { recursive: true, force: true });
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The size of a file, or of all files in a folder; files that disappear meanwhile have none. */
function bytesIn(path: string): number {
  let status: Stats | undefined;
  try {
    status = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 0;
  }
  if (status?.isDirectory() !== true) return status?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}
