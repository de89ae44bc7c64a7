// Words of the command line as input files: paths, and patterns for shells that do not expand them.

import { readdirSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { FileError, placeOf, readBytes, STANDARD, statsOf, UsageError } from "@mm-ptx/types/cli";
import { didYouMean, quoted } from "@mm-ptx/types/core";
import { globSync, isDynamicPattern } from "tinyglobby";

/** What words stand for. */
export interface Inputs {
  /** Each file once, in the order of the words; those of a pattern by name. */
  readonly paths: readonly string[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly string[];
}

export function findInputs(words: readonly string[]): Inputs {
  const paths = new Map<string, string>();
  const unmatched: string[] = [];
  for (const word of words) {
    // A word that names a file is that file, whatever signs are in its name.
    const isPattern = statsOf(word) === undefined && isDynamicPattern(slashed(word));
    const found = isPattern ? matches(word) : [word];
    if (found.length === 0) unmatched.push(word);
    for (const path of found) paths.set(path === STANDARD ? path : resolve(path), path);
  }
  return { paths: [...paths.values()], unmatched };
}

const matches = (pattern: string): string[] =>
  globSync(slashed(pattern), { absolute: isAbsolute(pattern), expandDirectories: false }).sort();

/** Patterns are written with slashes everywhere. */
const slashed = (word: string): string => (process.platform === "win32" ? word.replaceAll("\\", "/") : word);

/** @throws FileError that names what may have been meant */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path);
  } catch (error) {
    throw error instanceof FileError ? new FileError(error.message + hintFor(path)) : error;
  }
}

function hintFor(path: string): string {
  if (statsOf(path)?.isDirectory()) return `, did you mean ${quoted(join(path, "*.ptx"))}?`;
  if (statsOf(path) !== undefined) return "";
  const folder = dirname(path);
  try {
    return didYouMean(
      path,
      readdirSync(folder).map((name) => (folder === "." ? name : join(folder, name))),
    );
  } catch {
    return "";
  }
}

/** Where the cubin of an input for an architecture goes. */
export interface Output {
  readonly input: string;
  readonly arch: string;
  readonly output: string;
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
  if (!toFolder && count > 1) {
    const hint = statsOf(out) === undefined && out !== STANDARD ? `, did you mean ${quoted(`${out}/`)}?` : "";
    const found = out === STANDARD ? "standard output" : quoted(out);
    throw new UsageError(`expected a folder/ for ${count} cubins, found ${found}${hint}`);
  }
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

/** Whether a path is a folder: one that is there, one with a slash, or a new one without an extension. */
function isFolder(out: string): boolean {
  if (out === STANDARD) return false;
  return statsOf(out)?.isDirectory() ?? (/[\\/]$/.test(out) || extname(out) === "");
}

function refuseClashes(outputs: readonly Output[]): void {
  const read = new Set(outputs.filter(({ input }) => input !== STANDARD).map(({ input }) => placeOf(input)));
  const taken = new Map<string, string>();
  for (const { input, output } of outputs) {
    if (output === STANDARD || statsOf(output)?.isFile() === false) continue;
    const place = placeOf(output);
    if (read.has(place)) {
      throw new UsageError(
        `expected outputs apart from what is read, found ${quoted(output)}, which is an input`,
      );
    }
    const other = taken.get(place);
    if (other !== undefined) {
      throw new UsageError(
        `expected an output of its own for each input, found ${quoted(output)} for ${quoted(other)} and ${quoted(input)}`,
      );
    }
    taken.set(place, input);
  }
}
