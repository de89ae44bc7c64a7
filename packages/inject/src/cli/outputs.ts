// Determines the output of each input.
import { basename, join, relative } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { type Delivery, folderNeeded, isBelow, isFolder, STANDARD, UsageError } from "./framework.js";

/** Where outputs go. */
export interface Destination {
  /** `--out` as given. */
  readonly out?: string;
  /** The folder relative to which paths are preserved; without it, outputs only have the names of their inputs. */
  readonly base?: string;
}

/** @throws UsageError */
export function planOutputs(inputs: readonly string[], { out, base }: Destination): Delivery[] {
  const target = out ?? STANDARD;
  if (!isFolder(target)) {
    if (inputs.length > 1) throw folderNeeded(`${inputs.length} inputs`, out);
    return inputs.map((input) => ({ input, output: target }));
  }
  if (inputs.includes(STANDARD)) {
    throw new UsageError(`expected a file for standard input, found the folder ${quoted(target)}`);
  }
  return inputs.map((input) => ({ input, output: join(target, nameBelow(base, input)) }));
}

function nameBelow(base: string | undefined, input: string): string {
  if (base === undefined) return basename(input);
  if (isBelow(input, base)) return relative(base, input);
  throw new UsageError(`expected inputs below ${quoted(base)}, found ${quoted(input)}`);
}
