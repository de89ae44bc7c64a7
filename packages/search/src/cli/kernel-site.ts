// The site of a kernel that a command line is about.
import { readFileSync } from "node:fs";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { FileError, ofFile, reasonOf } from "./framework.js";

/**
 * A kernel and one of its sites.
 * @param name the site; without it, the kernel has to have only one
 * @throws FileError, FileProblem
 */
export async function readSite(path: string, name: string | undefined) {
  const { parsePtx } = await import("@mm-ptx/inject");
  const text = readText(path);
  return ofFile(path, () => {
    const kernel = parsePtx(text);
    const names = kernel.injections.map((each) => quoted(each.name));
    if (names.length === 0)
      throw new SearchError("NOT_FOUND", "expected a kernel with an injection site, found none");
    if (name === undefined && names.length > 1)
      throw new SearchError(
        "INVALID_ARGUMENT",
        `expected \`--site\` for a kernel with the sites ${names.join(", ")}, found none`,
      );
    return { kernel, site: kernel.injection(name ?? 0) };
  });
}

/** @throws FileError */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new FileError(`expected a file to read, found ${quoted(path)}: ${reasonOf(error)}`);
  }
}
