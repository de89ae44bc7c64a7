// The files that a compile by NVRTC depends on. NVRTC does not list them, so its process observes which files it opens;
// native/worker/opened_files_posix.cpp has the other side.

import { isAbsolute } from "node:path";
import type { Answer } from "../toolkit/helper.js";
import type { ProbedFiles } from "./cache/file-list.js";

const OPENED = 4;
const MISSING = 5;

/** Files that the system makes when they are read. */
const OF_SYSTEM = /^\/(proc|sys|dev)\//;
const NAME = /(?:^[ \t]*#[ \t]*(?:include|embed)|__has_include[ \t]*\()[ \t]*(?:[<"]([^>"\n]+))?/gm;

/**
 * Undefined if they could not be observed.
 *
 * @param folder the working folder of the process
 * @param headers the texts of headers that are not files
 */
export function probedByNvrtc(
  { lists }: Answer,
  folder: string,
  source: string,
  headers: Readonly<Record<string, string>>,
): ProbedFiles | undefined {
  const [present, absent] = [lists[OPENED], lists[MISSING]].map((list) =>
    list?.map((path) => absolute(folder, path.toString())).filter((path) => !OF_SYSTEM.test(path)),
  );
  if (present === undefined || absent === undefined) return undefined;
  // A library that does not call the C library's functions by their names shows nothing.
  const shown = present.length + absent.length > 0;
  return shown || !searchesFiles([source, ...Object.values(headers)], headers)
    ? { present, absent }
    : undefined;
}

/** Not normalized, because `..` after a link leads to the folder above the link's target. */
const absolute = (folder: string, path: string): string => (isAbsolute(path) ? path : `${folder}/${path}`);

function searchesFiles(texts: readonly string[], headers: Readonly<Record<string, string>>): boolean {
  return texts.some((text) =>
    [...text.matchAll(NAME)].some(([, name]) => name === undefined || !Object.hasOwn(headers, name)),
  );
}
