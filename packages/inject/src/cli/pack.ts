// `pack`: combines a PTX file with many sets of stubs into one module.

import { pack as packVariants } from "../pack/pack.js";
import type { Missing, Stubs } from "../render/stubs.js";
import { deliver } from "./deliver.js";
import { decode, encode } from "./files.js";
import {
  FileError,
  namedFile,
  type Outcome,
  readBytes,
  refuseClashes,
  STANDARD,
  UsageError,
  writeWhole,
} from "./framework.js";
import { orProblems } from "./problems.js";
import { type PtxOptions, readPtx } from "./ptx-file.js";

export interface PackOptions extends PtxOptions {
  /** A JSON file with an array of objects, each with the stubs of a variant by injection name. */
  readonly stubs: string;
  readonly kernel?: readonly string[];
  readonly shared?: readonly string[];
  readonly missing?: Missing;
  /** The file for the mapping from names of the module to variants. */
  readonly names?: string;
  readonly out?: string;
}

/** @throws UsageError, DescriptionError, FileError, ProblemsError */
export async function pack(path: string, options: PackOptions): Promise<Outcome> {
  const { stubs, kernel: kernels, shared = [], missing = "error", names, out } = options;
  if (path === STANDARD && stubs === STANDARD) {
    throw new UsageError("expected standard input in one place, found it in several");
  }
  const { annotated, encoding } = await readPtx(path, options);
  const stubsets = await readStubsets(stubs);
  // Most mistakes are in stubs, which are not part of any file's text.
  const packed = orProblems(path, undefined, () =>
    packVariants(annotated, stubsets, { shared, missing, ...(kernels === undefined ? {} : { kernels }) }),
  );
  const variants = packed.variants.map(({ index, entries }) => ({ index, entries }));
  const read = new Map([
    [path, "an input"],
    [stubs, "an input"],
  ]);
  if (names !== undefined) {
    refuseClashes(
      [],
      read,
      new Map([[names, "`--names`"], ...(out === undefined ? [] : [[out, "`--out`"] as const])]),
    );
    writeWhole(names, encode(`${JSON.stringify({ ...packed.names, variants }, null, 2)}\n`, "utf8"));
  }
  return deliver(encode(packed.text, encoding), out, read, [], { variants });
}

/** The library checks whether they are stubs. */
async function readStubsets(path: string): Promise<readonly Stubs[]> {
  const { text } = decode(await readBytes(path), path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileError(
      `expected an array of stubs by injection name as JSON, found ${namedFile(path)}: ${(error as Error).message}`,
    );
  }
}
