// Where the cubins of inputs go.

import { basename, extname, join } from "node:path";
import { type Delivery, folderNeeded, isFolder, refuseClashes, STANDARD, UsageError } from "./framework.js";

/** Where the cubin of an input for an architecture goes. */
export interface Output extends Delivery {
  readonly arch: string;
}

/**
 * One output for each input and architecture. Of several architectures the file names tell which is whose.
 *
 * @param out a file for one output, a folder for many; the current folder without it
 * @throws UsageError for two in one place, and for one in the place of an input
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
