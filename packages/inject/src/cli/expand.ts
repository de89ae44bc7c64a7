// `expand`: turns one injection of a PTX file into many, one of which is chosen at run time by a value in the kernel.

import { expandSites } from "../pack/expand.js";
import { deliver } from "./deliver.js";
import { encode } from "./files.js";
import type { Outcome } from "./framework.js";
import { orProblems } from "./problems.js";
import { type PtxOptions, readPtx } from "./ptx-file.js";

export interface ExpandOptions extends PtxOptions {
  readonly count: number;
  readonly select: string;
  readonly out?: string;
}

/** @throws UsageError, DescriptionError, FileError, ProblemsError */
export async function expand(path: string, name: string, options: ExpandOptions): Promise<Outcome> {
  const { count, select, out } = options;
  const { annotated, encoding } = await readPtx(path, options);
  const expanded = orProblems(path, annotated.text, () => expandSites(annotated, name, count, { select }));
  return deliver(encode(expanded.text, encoding), out, new Map([[path, "an input"]]));
}
