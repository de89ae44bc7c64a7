// Which output each input goes to. Refused before anything is written: two inputs for one output, and outputs in the
// place of something that is read.
import { basename, extname, join, relative } from "node:path";
import { placeOf, STANDARD, statsOf, UsageError } from "@mm-ptx/types/cli";
import { quoted } from "@mm-ptx/types/core";
import { isBelow } from "./inputs.js";

export interface Job {
  readonly input: string;
  readonly output: string;
}

/** Where outputs go. */
export interface Destination {
  /** `--out` as given. */
  readonly out?: string;
  /** The folder below which paths are kept; without it outputs have the names of their inputs alone. */
  readonly base?: string;
}

/** Whether `--out` is a folder: one that is there, one with a slash, or a new one without an extension. */
export function isFolder(out: string): boolean {
  if (out === STANDARD) return false;
  const stats = statsOf(out);
  return stats?.isDirectory() ?? (/[\\/]$/.test(out) || extname(out) === "");
}

/** @throws UsageError */
export function planOutputs(inputs: readonly string[], { out, base }: Destination): Job[] {
  const target = out ?? STANDARD;
  if (!isFolder(target)) {
    if (inputs.length > 1) throw severalInputs(inputs.length, out);
    return inputs.map((input) => ({ input, output: target }));
  }
  if (inputs.includes(STANDARD)) {
    throw new UsageError(`expected a file for standard input, found the folder ${quoted(target)}`);
  }
  return inputs.map((input) => ({ input, output: join(target, nameBelow(base, input)) }));
}

function severalInputs(count: number, out: string | undefined): UsageError {
  const expected = `expected a folder/ for ${count} inputs`;
  if (out === undefined) return new UsageError(`${expected} after \`--out\`, found nothing`);
  if (out === STANDARD) return new UsageError(`${expected}, found standard output`);
  const hint = statsOf(out) === undefined ? `, did you mean ${quoted(`${out}/`)}?` : ", which is a file";
  return new UsageError(`${expected}, found ${quoted(out)}${hint}`);
}

function nameBelow(base: string | undefined, input: string): string {
  if (base === undefined) return basename(input);
  if (isBelow(input, base)) return relative(base, input);
  throw new UsageError(`expected inputs below ${quoted(base)}, found ${quoted(input)}`);
}

/**
 * @param read what else is read, by what it is
 * @param written what else is written, by what it is
 * @throws UsageError
 */
export function refuseClashes(
  jobs: readonly Job[],
  read: ReadonlyMap<string, string>,
  written: ReadonlyMap<string, string> = new Map(),
): void {
  const sources = new Map([...read].map(([path, what]) => [placeOf(path), what]));
  for (const { input } of jobs) if (input !== STANDARD) sources.set(placeOf(input), "an input");
  const taken = new Map<string, string>();
  const outputs = jobs.map(({ input, output }) => [output, quoted(input)] as const);
  for (const [path, what] of [...outputs, ...written]) {
    if (path === STANDARD) continue;
    const place = placeOf(path);
    const source = sources.get(place);
    if (source !== undefined) {
      throw new UsageError(
        `expected outputs apart from what is read, found ${quoted(path)}, which is ${source}`,
      );
    }
    const other = taken.get(place);
    if (other !== undefined) {
      throw new UsageError(
        `expected an output of its own for each input, found ${quoted(path)} for ${other} and ${what}`,
      );
    }
    if (statsOf(path)?.isFile() !== false) taken.set(place, what);
  }
}
