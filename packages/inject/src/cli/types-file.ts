// The types that annotations may name: ours, or those of a description file with the files that it extends.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DescriptionSource } from "@mm-ptx/types";
import { FileError } from "@mm-ptx/types/cli";
import type { InjectTypes } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/core";
import { types as defaultTypes } from "../generated/default.js";

/** What the specifiers of descriptions in our own packages begin with. */
const OURS = "@mm-ptx/";

export interface LoadedTypes {
  readonly types: InjectTypes;
  /** What was read for them. */
  readonly files: readonly string[];
}

/**
 * @param path a description file; without it the default types, for which nothing is read
 * @throws DescriptionError, FileError
 */
export async function loadTypes(path: string | undefined): Promise<LoadedTypes> {
  if (path === undefined) return { types: defaultTypes, files: [] };
  // Loaded only here: the schemas take longer than everything else that a command does.
  const [{ parseInjectDescription }, { resolveDescription }] = await Promise.all([
    import("@mm-ptx/types"),
    import("@mm-ptx/types/node"),
  ]);
  const files = new Set<string>();
  const open = (specifier: string, from: string): DescriptionSource => {
    const source = orBesideUs(specifier, from);
    files.add(source.name);
    return source;
  };
  // A description may extend ours where nothing is installed beside it, as with a global installation of this program.
  const orBesideUs = (specifier: string, from: string): DescriptionSource => {
    try {
      return resolveDescription(specifier, from);
    } catch (error) {
      if (!specifier.startsWith(OURS)) throw error;
      return resolveDescription(specifier, fileURLToPath(import.meta.url));
    }
  };
  let root: DescriptionSource;
  try {
    root = open(resolve(path), "");
  } catch (error) {
    throw new FileError(`expected a description file, found ${quoted(path)}: ${(error as Error).message}`);
  }
  const types = parseInjectDescription(root.json, { name: root.name, resolve: open });
  return { types, files: [...files] };
}
