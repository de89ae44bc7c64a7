// Reads a PTX file for a command: its text and its injections, or an error that shows the place in it.

import { isFilledKernel } from "@mm-ptx/types/internal";
import { type AnnotatedPtx, parsePtx } from "../annotated-ptx.js";
import { decode, type SourceText } from "./files.js";
import { FileError, namedFile, readInput } from "./framework.js";
import { orProblems } from "./problems.js";
import { loadTypes } from "./types-file.js";

export interface PtxFile extends SourceText {
  readonly annotated: AnnotatedPtx;
}

/**
 * Reads a PTX file.
 * @param typesPath the description of the types that 0.x markers name
 * @throws DescriptionError, FileError, ProblemsError
 */
export async function readPtx(path: string, typesPath: string | undefined): Promise<PtxFile> {
  const { types } = await loadTypes(typesPath);
  const source = decode(await readInput(path, "*.ptx"), path);
  refuseJson(path, source.text);
  const annotated = orProblems(path, source.text, () => parsePtx(source.text, { types }));
  return { ...source, annotated };
}

/** @throws FileError for JSON; other text that begins with a brace may be a fragment of PTX */
function refuseJson(path: string, text: string): void {
  if (!/^\s*\{/.test(text)) return;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const found = isFilledKernel(value)
    ? "the JSON of a filled kernel, whose sites have their stubs already"
    : "which is JSON";
  throw new FileError(`expected PTX, found ${namedFile(path)}, ${found}`);
}
