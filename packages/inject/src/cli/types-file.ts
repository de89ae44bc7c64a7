// The types that annotations may name: ours, or those of a description file with the files that it extends.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DescriptionSource } from "@mm-ptx/types";
import type { InjectTypes } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { types as defaultTypes } from "../generated/default.js";
import { FileError } from "./framework.js";

/** The beginning of specifiers of descriptions in our own packages. */
const OURS = "@mm-ptx/";

export interface LoadedTypes {
  readonly types: InjectTypes;
  /** The files that were read for them. */
  readonly files: readonly string[];
}

/**
 * Loads the types.
 * @param path a description file; without it, the default types, for which nothing is read
 * @throws DescriptionError, FileError
 */
export async function loadTypes(path: string | undefined): Promise<LoadedTypes> {
  if (path === undefined) return { types: defaultTypes, files: [] };
  // Loaded only here, because loading the schemas takes longer than everything else that a command does.
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
  // A description may extend ours even if nothing is installed next to it, for example with a global installation of
  // this program.
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
