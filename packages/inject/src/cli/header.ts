// `header`: the CUDA header whose macros know the types of a description.

import { cudaHeader } from "../header/header.js";
import { deliver } from "./deliver.js";
import { encode } from "./files.js";
import type { Outcome } from "./framework.js";
import { loadTypes } from "./types-file.js";

export interface HeaderOptions {
  readonly types?: string;
  readonly out?: string;
}

/** @throws UsageError, DescriptionError, FileError */
export async function header({ types: path, out }: HeaderOptions): Promise<Outcome> {
  const { types, files } = await loadTypes(path);
  const read = new Map(files.map((file) => [file, "a description of types"]));
  return deliver(encode(cudaHeader(types), "utf8"), out, read);
}
