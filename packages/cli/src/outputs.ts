// Decides where commands write. Several outputs for one file, two inputs for one output, and outputs that would
// overwrite an input are refused before anything is written.
import { extname } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { placeOf } from "./places.js";
import { UsageError } from "./usage-error.js";
import { STANDARD, statsOf } from "./whole-files.js";

/** An input, and the place of its output. */
export interface Delivery {
  readonly input: string;
  readonly output: string;
}

/** Whether `--out` means a folder: an existing one, one with a final slash, or a new one without an extension. */
export function isFolder(out: string): boolean {
  if (out === STANDARD) return false;
  return statsOf(out)?.isDirectory() ?? (/[\\/]$/.test(out) || extname(out) === "");
}

/**
 * The error for several outputs where only one is possible.
 * @param what what would be written, for example `3 cubins`
 */
export function folderNeeded(what: string, out: string | undefined): UsageError {
  const expected = `expected a folder/ for ${what}`;
  if (out === undefined) return new UsageError(`${expected} after \`--out\`, found nothing`);
  if (out === STANDARD) return new UsageError(`${expected}, found standard output`);
  const hint = statsOf(out) === undefined ? `, did you mean ${quoted(`${out}/`)}?` : ", which is a file";
  return new UsageError(`${expected}, found ${quoted(out)}${hint}`);
}

/**
 * Checks that no output overwrites an input or another output.
 * @param read other files that are read, with their descriptions
 * @param written other files that are written, with their descriptions
 * @throws UsageError
 */
export function refuseClashes(
  deliveries: readonly Delivery[],
  read: ReadonlyMap<string, string> = new Map(),
  written: ReadonlyMap<string, string> = new Map(),
): void {
  const sources = new Map([...read].map(([path, what]) => [placeOf(path), what]));
  for (const { input } of deliveries) if (input !== STANDARD) sources.set(placeOf(input), "an input");
  const taken = new Map<string, string>();
  const outputs = deliveries.map(({ input, output }) => [output, quoted(input)] as const);
  for (const [path, what] of [...outputs, ...written]) {
    if (path === STANDARD) continue;
    const place = placeOf(path);
    const source = sources.get(place);
    if (source !== undefined) {
      throw new UsageError(
        `expected outputs that do not overwrite inputs, found ${quoted(path)}, which is ${source}`,
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
