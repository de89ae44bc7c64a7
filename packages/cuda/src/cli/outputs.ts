// Determines where the cubin of each input is written.

import { basename, extname, join } from "node:path";
import { type Delivery, folderNeeded, isFolder, refuseClashes, STANDARD, UsageError } from "./framework.js";

/** The output file of an input for an architecture. */
export interface Output extends Delivery {
  readonly arch: string;
}

/**
 * One output for each input and architecture. With several architectures, file names contain the
 * architecture.
 *
 * @param out a file for a single output, or a folder; by default the current folder
 * @throws UsageError if two outputs have the same path, or one would overwrite an input
 */
export function planOutputs(
  inputs: readonly string[],
  arches: readonly string[],
  out: string | undefined,
): Output[] {
  const count = inputs.length * arches.length;
  const toFolder = out === undefined || isFolder(out);
  if (!toFolder && count > 1) throw folderNeeded(`${count} cubins`, out);
  if (toFolder && inputs.includes(STANDARD)) {
    throw new UsageError("expected a file after `--out` for standard input, found none");
  }
  const named = (input: string, arch: string): string => {
    const name = basename(input, extname(input));
    return join(out ?? ".", arches.length === 1 ? `${name}.cubin` : `${name}.${arch}.cubin`);
  };
  const outputs = inputs.flatMap((input) =>
    arches.map((arch): Output => ({ input, arch, output: toFolder ? named(input, arch) : out })),
  );
  refuseClashes(outputs);
  return outputs;
}
