// The files that a compile by nvcc depends on. nvcc lists the headers that it has read, but not the places where it
// found none; those are derived from the names in the directives of what it has read. The result has more places than the
// compiler has searched, since directives in inactive branches count as well.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import type { ProbedFiles } from "./cache/file-list.js";
import { areTestsWrittenOut, directivesIn, type IncludedName } from "./directives.js";

interface Including {
  /** Absent for texts that are not files of the caller. */
  readonly folder: string | undefined;
  readonly names: readonly IncludedName[];
}

/** Host compilers search this folder in any case; others of theirs are known from what they have read. */
const SYSTEM_FOLDER = "/usr/local/include";

/**
 * Undefined if `__has_include` looks for names that only the compiler knows.
 *
 * @param read the headers that were read
 * @param texts the source and the other texts that were compiled
 * @param folders the folders of headers in the order of search
 */
export async function probedByNvcc(
  read: readonly string[],
  texts: readonly string[],
  folders: readonly string[],
): Promise<ProbedFiles | undefined> {
  const including: Including[] = [];
  const conditions: string[] = [];
  const add = (folder: string | undefined, text: string): void => {
    const found = directivesIn(text);
    including.push({ folder, names: found.names });
    conditions.push(...found.conditions);
  };
  for (const text of texts) add(undefined, text);
  for (const path of read) {
    // A header that can't be read any more is missed later.
    add(dirname(path), await readFile(path, "latin1").catch(() => ""));
  }
  if (!areTestsWrittenOut(conditions)) return undefined;
  const known = new Set(read.map((path) => normalize(path)));
  const search = [
    ...new Set([...folders.map((folder) => normalize(folder)), ...systemFolders(known, including)]),
  ];
  const present = new Set(read);
  const absent = new Set<string>();
  for (const path of searchedPlaces(including, search, known)) {
    if (!existsSync(path.path)) absent.add(path.path);
    else if (path.tested) present.add(path.path);
  }
  for (const path of earlierPlaces(known, search)) if (!existsSync(path)) absent.add(path);
  return { present, absent };
}

/** The places where the compiler would look for each name, up to the file that it has read. */
function* searchedPlaces(
  including: readonly Including[],
  search: readonly string[],
  known: ReadonlySet<string>,
): Generator<{ readonly path: string; readonly tested: boolean }> {
  const seen = new Set<string>();
  for (const { folder, names } of including) {
    for (const { name, quoted, tested } of names) {
      const own = quoted && folder !== undefined ? [folder] : [];
      const key = [tested, name, ...own].join("\0");
      if (seen.has(key)) continue;
      seen.add(key);
      for (const each of isAbsolute(name) ? [""] : [...own, ...search]) {
        // Not normalized, because `..` after a link leads to the folder above the link's target.
        const path = each === "" ? name : `${each}/${name}`;
        if (!known.has(normalize(path))) yield { path, tested };
        else if (!tested) break;
      }
    }
  }
}

/** The places that come before a header that was read, for names that no directive shows because macros make them. */
function* earlierPlaces(known: ReadonlySet<string>, search: readonly string[]): Generator<string> {
  for (const path of known) {
    const at = search.findIndex((folder) => path.startsWith(`${folder}/`));
    for (const folder of search.slice(0, Math.max(at, 0))) yield join(folder, path.slice(search[at]!.length));
  }
}

/** The host compiler's folders, in which it has found names that directives show. */
function systemFolders(known: ReadonlySet<string>, including: readonly Including[]): string[] {
  const names = new Set(including.flatMap((each) => each.names).map(({ name }) => name));
  const found = new Set<string>();
  for (const path of known) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (names.has(path.slice(at + 1))) found.add(path.slice(0, at));
  }
  return [...found, SYSTEM_FOLDER];
}
