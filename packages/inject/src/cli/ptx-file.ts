// Reads a PTX file for a command: its text and its injections, or an error that shows the place in it.

import { isFilledKernel, quoted } from "@mm-ptx/types/internal";
import { type AnnotatedPtx, parsePtx } from "../annotated-ptx.js";
import { beginsRegisters, REGISTER_BEGINNING } from "../options.js";
import { decode, type SourceText } from "./files.js";
import { FileError, namedFile, readInput, UsageError } from "./framework.js";
import { orProblems } from "./problems.js";
import { loadTypes } from "./types-file.js";

export interface PtxFile extends SourceText {
  readonly annotated: AnnotatedPtx;
}

/** How sites of 0.x are read. */
export interface PtxOptions {
  /** The description of the types that they name. */
  readonly types?: string;
  /** The prefix of their registers. */
  readonly registerPrefix?: string;
}

/**
 * Reads a PTX file.
 * @throws DescriptionError, FileError, ProblemsError, UsageError
 */
export async function readPtx(path: string, options: PtxOptions): Promise<PtxFile> {
  const { types } = await loadTypes(options.types);
  const { registerPrefix } = options;
  if (registerPrefix !== undefined && !beginsRegisters(registerPrefix))
    throw new UsageError(
      `option \`--register-prefix\`: expected ${REGISTER_BEGINNING}, found ${quoted(registerPrefix)}`,
    );
  const source = decode(await readInput(path, "*.ptx"), path);
  refuseJson(path, source.text);
  const annotated = orProblems(path, source.text, () =>
    parsePtx(source.text, { types, ...(registerPrefix === undefined ? {} : { registerPrefix }) }),
  );
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
